import type { State } from "../../api/state-shape.ts";
import { personMention } from "./named.ts";
import { type Person, personById, presenceOf } from "./selectors.ts";

export type UserGroup = NonNullable<State["realm_user_groups"]>[number];
export type ProfileField = NonNullable<State["custom_profile_fields"]>[number];
export type PresenceNow = ReturnType<typeof presenceOf>;

/** Types of profile fields, as custom_profile_field_types of /register names them. */
export const FIELD = {
  shortText: 1,
  longText: 2,
  select: 3,
  date: 4,
  link: 5,
  people: 6,
  account: 7,
  pronouns: 8,
} as const;

export const ROLE_NAMES = {
  100: "owner",
  200: "administrator",
  300: "moderator",
  400: "member",
  600: "guest",
} as const;
export type RoleName = (typeof ROLE_NAMES)[keyof typeof ROLE_NAMES];

/** Unknown roles count as member. */
export const roleOf = ({ role }: Person): RoleName => ROLE_NAMES[role as keyof typeof ROLE_NAMES] ?? "member";

export interface ProfileValue {
  readonly field: ProfileField;
  /** The text of a list option, a date as stored, or an account name. */
  readonly text: string;
  /** An http or https URL. */
  readonly link?: string;
  readonly userIds?: readonly number[];
}

const parsed = <T>(json: string, otherwise: T): T => {
  try {
    return JSON.parse(json) as T;
  } catch {
    return otherwise;
  }
};

export function optionsOf({ field_data }: ProfileField): { value: string; label: string }[] {
  const options = parsed<Record<string, { text: string; order?: string }>>(field_data, {});
  return Object.entries(options)
    .sort(([, a], [, b]) => Number(a.order ?? 0) - Number(b.order ?? 0))
    .map(([value, { text }]) => ({ value, label: text }));
}

const webLink = (url: string): string | undefined => (/^https?:\/\//i.test(url) ? url : undefined);

function accountLink(state: State, { field_data }: ProfileField, name: string): string | undefined {
  const { subtype = "", url_pattern } = parsed<{ subtype?: string; url_pattern?: string }>(field_data, {});
  const pattern = url_pattern ?? state.realm_default_external_accounts?.[subtype]?.url_pattern;
  return pattern && webLink(pattern.replace("%(username)s", encodeURIComponent(name)));
}

/** The filled profile fields of a person, in order. */
export function profileOf(state: State, person: Person): ProfileValue[] {
  return (state.custom_profile_fields ?? []).flatMap((field): ProfileValue[] => {
    const value = person.profile_data?.[field.id]?.value;
    if (!value) return [];
    switch (field.type) {
      case FIELD.select:
        return [{ field, text: optionsOf(field).find((option) => option.value === value)?.label ?? value }];
      case FIELD.people:
        return [{ field, text: "", userIds: parsed<number[]>(value, []) }];
      case FIELD.link:
        return [withLink({ field, text: value }, webLink(value))];
      case FIELD.account:
        return [withLink({ field, text: value }, accountLink(state, field, value))];
      default:
        return [{ field, text: value }];
    }
  });
}

const withLink = (value: ProfileValue, link: string | undefined): ProfileValue => (link ? { ...value, link } : value);

/** Active members of a group and its subgroups, by name. */
export function membersOf(state: State, groupId: number): Person[] {
  const groups = new Map(state.realm_user_groups?.map((group) => [group.id, group]));
  const ids = new Set<number>();
  const seen = new Set<number>();
  const waiting = [groupId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    for (const member of groups.get(id)?.members ?? []) ids.add(member);
    waiting.push(...(groups.get(id)?.direct_subgroup_ids ?? []));
  }
  return [...ids]
    .map((id) => personById(state, id))
    .filter((person): person is Person => person?.is_active === true)
    .sort((a, b) => a.full_name.localeCompare(b.full_name));
}

/** The user groups of a person, directly or through a subgroup, without system groups. */
export const groupsOf = (state: State, userId: number): UserGroup[] =>
  (state.realm_user_groups ?? [])
    .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
    .filter(({ id }) => membersOf(state, id).some(({ user_id }) => user_id === userId))
    .sort((a, b) => a.name.localeCompare(b.name));

/** In milliseconds since the epoch. */
export function lastSeen(state: State, userId: number): number | undefined {
  const presence = state.presences?.[userId] as { active_timestamp?: number; idle_timestamp?: number } | undefined;
  const newest = Math.max(presence?.active_timestamp ?? 0, presence?.idle_timestamp ?? 0);
  return newest > 0 ? newest * 1000 : undefined;
}

/** The local time of a person; undefined for a missing or unknown time zone. */
export function timeAt(timeZone: string, now: number, locale: string): string | undefined {
  if (timeZone === "") return undefined;
  try {
    return new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit", timeZone }).format(now);
  } catch {
    return undefined;
  }
}

const PRESENCE_ORDER = { active: 0, idle: 1, offline: 2 };

/** Sorts by presence, then by name, with bots last. */
export function byPresence(
  state: State,
  people: readonly Person[],
  now: number,
): { person: Person; presence: PresenceNow }[] {
  return people
    .map((person) => ({ person, presence: presenceOf(state, person.user_id, now) }))
    .sort(
      (a, b) =>
        Number(a.person.is_bot) - Number(b.person.is_bot) ||
        PRESENCE_ORDER[a.presence] - PRESENCE_ORDER[b.presence] ||
        a.person.full_name.localeCompare(b.person.full_name),
    );
}

/** With a space, to continue the text. */
export function mentionOf(state: State, person: Person): string {
  const isShared = (state.realm_users ?? []).some(
    ({ full_name, user_id }) => full_name === person.full_name && user_id !== person.user_id,
  );
  return `${personMention(person, isShared)} `;
}

export const isMuted = (state: State, userId: number): boolean =>
  (state.muted_users ?? []).some(({ id }) => id === userId);
