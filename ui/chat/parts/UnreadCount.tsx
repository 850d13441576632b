import { useTranslation } from "react-i18next";
import { number } from "../../parts/format.ts";
import classes from "./UnreadCount.module.css";

interface UnreadCountProps {
  count: number;
  className: string | undefined;
  isUrgent?: boolean | undefined;
}

/** An unread count: a number, and a sentence for screen readers. */
export function UnreadCount({ count, className, isUrgent }: UnreadCountProps) {
  const { t } = useTranslation();
  return (
    <span className={className} data-urgent={isUrgent}>
      <span aria-hidden="true">{number(count)}</span>
      <span className={classes.said}>{t("chat.unread", { count })}</span>
    </span>
  );
}

/** Marks a conversation with an unread mention. */
export function MentionMark() {
  const { t } = useTranslation();
  return (
    <span className={classes.mention} title={t("chat.mentioned")}>
      <span aria-hidden="true">@</span>
      <span className={classes.said}>{t("chat.mentioned")}</span>
    </span>
  );
}
