import type { TFunction } from "i18next";
import type { WireUser } from "../../../server/api/presenters/users.ts";
import { locale } from "../../locales/i18n.ts";

/** Such as `16 people and 9 bots`, `2 bots` or `0 people`. */
export function peopleAndBots(users: readonly Pick<WireUser, "is_bot">[], t: TFunction): string {
  const bots = users.filter(({ is_bot }) => is_bot).length;
  const people = users.length - bots;
  const counts = [
    ...(people > 0 || bots === 0 ? [t("permissions.people", { count: people })] : []),
    ...(bots > 0 ? [t("permissions.bots", { count: bots })] : []),
  ];
  return new Intl.ListFormat(locale(), { type: "conjunction" }).format(counts);
}
