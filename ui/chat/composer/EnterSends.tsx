import { useTranslation } from "react-i18next";
import classes from "./Composer.module.css";

interface EnterSendsProps {
  isOn: boolean;
  onChange(isOn: boolean): void;
}

export function EnterSends({ isOn, onChange }: EnterSendsProps) {
  const { t } = useTranslation();
  return (
    <label className={classes.enter}>
      <input type="checkbox" checked={isOn} onChange={() => onChange(!isOn)} />
      {t("chat.compose.enterSends")}
    </label>
  );
}
