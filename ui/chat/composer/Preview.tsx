import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat } from "../chat-context.ts";
import { MessageContent } from "../feed/MessageContent.tsx";
import classes from "./Preview.module.css";

/** What is being written as the server will show it. */
export function Preview({ text }: { text: string }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const [html, setHtml] = useState<string>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    const controller = new AbortController();
    chat.client.call("POST /messages/render", { content: text }, controller.signal).then(
      ({ rendered }) => setHtml(rendered),
      (caught) => {
        if (!controller.signal.aborted) setError(errorMessage(caught));
      },
    );
    return () => controller.abort();
  }, [chat, text]);
  return (
    <section className={classes.preview} aria-label={t("writing.preview")} aria-busy={html === undefined && !error}>
      {error && <p role="alert">{error}</p>}
      {html !== undefined && <MessageContent html={html} />}
    </section>
  );
}
