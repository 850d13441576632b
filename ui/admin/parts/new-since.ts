import i18next from "i18next";
import { locale } from "../../locales/i18n.ts";

/** "2 messages and 1 person": the new messages and people since a backup or a move; undefined if there are none. */
export function newSince({ messages, people }: { messages: number; people: number }): string | undefined {
  const { t } = i18next;
  const parts = [
    ...(messages > 0 ? [t("backups.messages", { count: messages })] : []),
    ...(people > 0 ? [t("backups.people", { count: people })] : []),
  ];
  return parts.length === 0 ? undefined : new Intl.ListFormat(locale(), { type: "conjunction" }).format(parts);
}
