import type { TFunction } from "i18next";
import { type ChangedField, changesIn, type NamedKind } from "../../../server/locales/audit-values.ts";
import type { Answer } from "../../api/client.ts";
import { textAt } from "../../locales/i18n.ts";
import { exactTime, languageName } from "../../parts/format.ts";

export type AuditNames = Answer<"GET /host/audit/acts">["names"];
interface Named {
  readonly id: number;
  readonly name: string;
}
/** With the names from the live state. */
export type Names = AuditNames & {
  readonly groups: readonly Named[];
  readonly folders: readonly Named[];
  readonly profileFields: readonly Named[];
};
type Entry = Pick<Answer<"GET /host/audit/acts">["acts"][number], "action" | "target" | "before" | "after">;

/** The changed values of an entry in the user's language. */
export function changesOnPage(entry: Entry, names: Names, t: TFunction): ChangedField[] {
  const changes = changesIn(entry, {
    textAt,
    say: (key, values) => t(key as "settings.forDays", values as { count: number }),
    nameOf: (kind, id) => nameIn(names, kind, id),
    languageName,
    time: exactTime,
  });
  // Deactivated people keep their name and role, so no old values are shown.
  return entry.action === "deactivate user" ? changes.filter(({ to }) => to !== undefined) : changes;
}

function nameIn(names: Names, kind: NamedKind, id: number): string | undefined {
  const named = (all: readonly Named[]) => all.find((one) => one.id === id)?.name;
  switch (kind) {
    case "person":
      return names.users[id];
    case "channel":
      return names.channels[id];
    case "group":
      return named(names.groups);
    case "folder":
      return named(names.folders);
    case "profile field":
      return named(names.profileFields);
  }
}

interface Part {
  readonly target: string;
  readonly action: string;
  readonly before?: unknown;
  readonly after?: unknown;
}
type Act = Part & { readonly more: readonly Part[] };

function withFirst<A extends Act>(act: A, isFirst: (part: Part) => boolean): A {
  const { more, ...first } = act;
  if (isFirst(first)) return act;
  const found = more.find(isFirst);
  return found ? { ...act, ...found, more: [first, ...more.filter((entry) => entry !== found)] } : act;
}

/** The values of these actions are user ids or lists of them. */
const LISTS = new Set(["subscribe users", "unsubscribe users", "change members of user group"]);

/** Whether a value is this id or contains it. */
export const holds = (value: unknown, id: number): boolean =>
  value === id || (typeof value === "object" && value !== null && Object.values(value).some((one) => holds(one, id)));

/** Moves the change of this person before the other changes of the request. */
export function beginningWith<A extends Act>(userId: number, act: A): A {
  const isOf = ({ target }: Part) => target === `user ${userId}`;
  const lists = ({ action, before, after }: Part) =>
    LISTS.has(action) && (holds(before, userId) || holds(after, userId));
  return withFirst(act, [act, ...act.more].some(isOf) ? isOf : lists);
}

/** Moves a deactivation first: it comes after the changes that follow from it. */
export function mainFirst<A extends Act>(act: A): A {
  const deactivation = [act, ...act.more].findLast(({ action }) => action === "deactivate user");
  return deactivation
    ? withFirst(act, (part) => part.target === deactivation.target && part.action === deactivation.action)
    : act;
}
