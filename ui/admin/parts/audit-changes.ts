import type { TFunction } from "i18next";
import type { Answer } from "../../api/client.ts";
import { type ChangedField, changesIn, type NamedKind } from "../../../server/locales/audit-values.ts";
import { textAt } from "../../locales/i18n.ts";
import { exactTime, languageName } from "../../parts/format.ts";

export type AuditNames = Answer<"GET /host/audit/acts">["names"];
interface Named {
  readonly id: number;
  readonly name: string;
}
/** With what the live state has names of. */
export type Names = AuditNames & {
  readonly groups: readonly Named[];
  readonly folders: readonly Named[];
  readonly profileFields: readonly Named[];
};
type Entry = Pick<Answer<"GET /host/audit/acts">["acts"][number], "action" | "target" | "before" | "after">;

/** What an entry says of values, field by field, in the language of the page. */
export function changesOnPage(entry: Entry, names: Names, t: TFunction): ChangedField[] {
  const changes = changesIn(entry, {
    textAt,
    say: (key, values) => t(key as "settings.forDays", values as { count: number }),
    nameOf: (kind, id) => nameIn(names, kind, id),
    languageName,
    time: exactTime,
  });
  // Whoever is deactivated keeps name and role: the sentence says what happened, and nothing is struck out.
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

/** Values of these are ids of people, or lists of them. */
const LISTS = new Set(["subscribe users", "unsubscribe users", "change members of user group"]);

/** Whether a value is this id, or holds it anywhere. */
export const holds = (value: unknown, id: number): boolean =>
  value === id || (typeof value === "object" && value !== null && Object.values(value).some((one) => holds(one, id)));

/** The act with what it did to this person before what the same request did besides. */
export function beginningWith<A extends Act>(userId: number, act: A): A {
  const isOf = ({ target }: Part) => target === `user ${userId}`;
  const lists = ({ action, before, after }: Part) =>
    LISTS.has(action) && (holds(before, userId) || holds(after, userId));
  return withFirst(act, [act, ...act.more].some(isOf) ? isOf : lists);
}

/** The act with what was asked for before what followed from it: a deactivation comes after what it takes away. */
export function mainFirst<A extends Act>(act: A): A {
  const deactivation = [act, ...act.more].findLast(({ action }) => action === "deactivate user");
  return deactivation
    ? withFirst(act, (part) => part.target === deactivation.target && part.action === deactivation.action)
    : act;
}
