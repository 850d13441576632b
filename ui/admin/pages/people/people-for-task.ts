import type { TFunction } from "i18next";
import { locale } from "../../../locales/i18n.ts";
import type { Role } from "../../../parts/settings/roles.ts";
import { mayChange, type Person, type Rights } from "./use-people.ts";

/** Actions for several people at once. */
export const TASKS = ["role", "addToGroups", "removeFromGroups", "subscribe", "unsubscribe", "deactivate"] as const;
export type Task = (typeof TASKS)[number];

/** Why a task skips a chosen person. */
const REASONS = ["self", "deactivated", "owners", "sameRole"] as const;
type Reason = (typeof REASONS)[number];

export interface PeopleForTask {
  readonly affected: readonly Person[];
  readonly skipped: readonly { readonly reason: Reason; readonly people: readonly Person[] }[];
}

/**
 * Splits the chosen people by whether the task changes them. The last owner needs no special reason: only owners can
 * change owners, and a task never changes the user who runs it.
 */
export function peopleForTask(
  task: Task,
  chosen: readonly Person[],
  { self, rights, role }: { self: number | undefined; rights: Rights; role?: Role | undefined },
): PeopleForTask {
  const changesAccount = task === "role" || task === "deactivate";
  const reasonFor = (person: Person): Reason | undefined => {
    if (changesAccount && person.id === self) return "self";
    if (!person.user.is_active) return "deactivated";
    if (changesAccount && !mayChange(rights, person)) return "owners";
    return task === "role" && person.user.role === role ? "sameRole" : undefined;
  };
  return {
    affected: chosen.filter((person) => reasonFor(person) === undefined),
    skipped: REASONS.flatMap((reason) => {
      const people = chosen.filter((person) => reasonFor(person) === reason);
      return people.length > 0 ? [{ reason, people }] : [];
    }),
  };
}

const MAX_NAMED = 5;

/** `Ann, Bo and 12 more` */
export function namesOf(people: readonly Person[], t: TFunction): string {
  const shown = people.length > MAX_NAMED + 1 ? MAX_NAMED : people.length;
  const names = people.map(({ name }) => name).sort(new Intl.Collator().compare);
  const others = people.length - shown;
  return listOf([...names.slice(0, shown), ...(others > 0 ? [t("people.more", { count: others })] : [])]);
}

/** `coaches, juniors and races` */
export const listOf = (names: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: "conjunction" }).format(names);
