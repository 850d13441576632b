import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useChat } from "../chat-context.ts";
import classes from "./Spectator.module.css";

/** Shown instead of the composer to people without an account. */
export function SignInToWrite() {
  const { t } = useTranslation();
  const { signIn } = useChat();
  return (
    <div className={classes.write}>
      <span>{t("spectator.write")}</span>
      <Button size="sm" onClick={signIn}>
        {t("spectator.signIn")}
      </Button>
    </div>
  );
}
