import { useTranslation } from "react-i18next";
import { day } from "../../parts/format.ts";
import classes from "./Lines.module.css";

/** A hairline with the day. */
export const DayLine = ({ at }: { at: number }) => (
  <p className={classes.day}>
    <span>{day(at, Date.now())}</span>
  </p>
);

export function UnreadLine() {
  const { t } = useTranslation();
  return (
    <p className={classes.unread}>
      <span>{t("chat.unreadLine")}</span>
    </p>
  );
}
