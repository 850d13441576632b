import type { TFunction } from "i18next";
import { download } from "../../../parts/download.ts";
import { roleName } from "../../../parts/settings/roles.ts";
import { csv } from "../../parts/csv.ts";
import { type Person, type Rights, statusText } from "./use-people.ts";

/** Saves people as CSV, with times in ISO 8601. Only administrators get the sign-ins. */
export function downloadPeople(people: readonly Person[], { isAdministrator }: Rights, t: TFunction): void {
  const header = [
    t("people.id"),
    t("people.name"),
    t("people.email"),
    t("people.role"),
    t("people.status"),
    t("people.joined"),
    t("people.lastSeen"),
    ...(isAdministrator ? [t("people.signIns"), t("people.newestSignIn")] : []),
    t("people.groups"),
  ];
  const rows = people.map(({ id, name, email, user, groups, lastSeen, signIns }) => [
    id,
    name,
    email,
    roleName(user.role, t),
    statusText({ user }, t),
    user.date_joined,
    lastSeen ? new Date(lastSeen).toISOString() : "",
    ...(isAdministrator
      ? [signIns?.browsers ?? "", signIns?.newestAt ? new Date(signIns.newestAt).toISOString() : ""]
      : []),
    groups.map((group) => group.name).join(", "),
  ]);
  download("people.csv", csv([header, ...rows]), "text/csv");
}
