import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChat, useChatState } from "../chat-context.ts";
import classes from "./Help.module.css";

export function About() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const organization = useChatState(({ realm_name }) => realm_name ?? "");
  const [version, setVersion] = useState<string>();
  useEffect(() => {
    const asked = new AbortController();
    chat.client.call("GET /server_settings", {}, asked.signal).then(
      ({ service_version }) => setVersion(service_version),
      () => {}, // the other lines need no response
    );
    return () => asked.abort();
  }, [chat]);
  return (
    <div className={classes.about}>
      <p>{t("help.about.what", { organization })}</p>
      {version !== undefined && <p>{t("help.about.version", { version })}</p>}
      <p>{t("help.about.protocol")}</p>
    </div>
  );
}
