import type { TFunction } from "i18next";
import type { Answer } from "../../api/client.ts";
import { type ChangedField, changesIn, type NamedKind } from "../../locales/audit-values.ts";
import { textAt } from "../../locales/i18n.ts";
import { exactTime } from "../../parts/format.ts";
import { languageName } from "../settings/languages.ts";

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

/** The act with the change of this target before the others, which the same request made. */
export function beginningWith<T extends { target: string; more: readonly { target: string }[] }>(
  target: string,
  act: T,
): T {
  const { more, ...first } = act;
  const about = first.target === target ? undefined : more.find((entry) => entry.target === target);
  return about ? { ...act, ...about, more: [first, ...more.filter((entry) => entry !== about)] } : act;
}
