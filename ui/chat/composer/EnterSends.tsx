import { useTranslation } from "react-i18next";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat } from "../chat-context.ts";
import classes from "./Composer.module.css";

interface EnterSendsProps {
  isOn: boolean;
  choose: (value: boolean, save: () => Promise<boolean>) => void;
  onNotice(notice: string): void;
}

export function EnterSends({ isOn, choose, onNotice }: EnterSendsProps) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const save = () =>
    chat.client.call("PATCH /settings", { enter_sends: !isOn }).then(
      () => true,
      (error) => {
        onNotice(errorMessage(error));
        return false;
      },
    );
  return (
    <label className={classes.enter}>
      <input type="checkbox" checked={isOn} onChange={() => choose(!isOn, save)} />
      {t("chat.compose.enterSends")}
    </label>
  );
}
