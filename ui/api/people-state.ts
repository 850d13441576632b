import type { WireNavigationView } from "../../server/api/presenters/navigation-views.ts";
import type { WireClientPresence, WirePresence } from "../../server/api/presenters/presence.ts";
import type { WireStatus } from "../../server/api/presenters/user-statuses.ts";
import type { WireUser } from "../../server/api/presenters/users.ts";
import type { Of, State } from "./state-shape.ts";

// Statuses

export function statusChanged(state: State, { type: _type, id: _id, user_id, ...changes }: Of<"user_status">): State {
  if (!state.user_status) return state;
  const { [user_id]: before, ...others } = state.user_status;
  const fields = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== "" && value !== false);
  const user_status = fields.length > 0 ? { ...others, [user_id]: Object.fromEntries(fields) as WireStatus } : others;
  return { ...state, user_status };
}

// Presence

type ByClient = Record<string, WireClientPresence>;

/** The presence of a person in the form of /register, from an event about one of their clients. */
function byClient(presence: ByClient): ByClient {
  const [one] = Object.values(presence);
  if (!one) return presence;
  const { pushable: _, ...aggregated } = one;
  return { aggregated, ...presence };
}

/** A person who was never active counts as active when they joined. */
function joined(state: State, userId: number): WirePresence {
  const date = state.realm_users?.find(({ user_id }) => user_id === userId)?.date_joined;
  return { active_timestamp: date === undefined ? 0 : Math.floor(Date.parse(date) / 1000), idle_timestamp: 0 };
}

function merged(before: WirePresence, { status, timestamp }: WireClientPresence): WirePresence {
  const { active_timestamp, idle_timestamp } = before;
  return status === "active"
    ? { active_timestamp: timestamp, idle_timestamp: Math.max(idle_timestamp, timestamp) }
    : { active_timestamp, idle_timestamp: timestamp };
}

const HIDDEN: WirePresence = { active_timestamp: 0, idle_timestamp: 0 };

/** A presence with time 0 is hidden. */
const isHidden = (presence: WirePresence | ByClient): boolean =>
  "idle_timestamp" in presence
    ? presence.idle_timestamp === 0
    : Object.values(presence as ByClient).every(({ timestamp }) => timestamp === 0);

function withPresence(state: State, key: string | number, presence: WirePresence | ByClient): State {
  const { [key]: _, ...others } = state.presences ?? {};
  return { ...state, presences: isHidden(presence) ? others : { ...others, [key]: presence } };
}

/** The event has the same form as the part of /register: by API email, or by user id. */
export function presenceChanged(state: State, event: Partial<Of<"presence">>): State {
  if (!state.presences) return state;
  if (event.presences)
    return Object.entries(event.presences).reduce((next, [id, one]) => withPresence(next, id, one), state);
  const { user_id = 0, email, presence = {} } = event;
  if (email !== undefined) return withPresence(state, email, byClient(presence));
  const [one] = Object.values(presence);
  const before = (state.presences[user_id] as WirePresence | undefined) ?? joined(state, user_id);
  return one ? withPresence(state, user_id, one.timestamp === 0 ? HIDDEN : merged(before, one)) : state;
}

/** A person whom this user no longer sees has no status and no presence. The older form of presences follows addresses. */
export function withoutHiddenPerson(state: State, event: Of<"realm_user">): State {
  if (event.op === "add") return state;
  const { person } = event;
  const email = state.realm_users?.find(({ user_id }) => user_id === person.user_id)?.email ?? "";
  if (event.op === "update") {
    const presence = state.presences?.[email];
    if (!("new_email" in event.person) || !presence) return state;
    const { [email]: _, ...others } = state.presences ?? {};
    return { ...state, presences: { ...others, [event.person.new_email]: presence } };
  }
  const next = { ...state };
  if (state.user_status) {
    const { [person.user_id]: _, ...others } = state.user_status;
    next.user_status = others;
  }
  if (state.presences) {
    const { [person.user_id]: _byId, [email]: _byEmail, ...others } = state.presences;
    next.presences = others;
  }
  return next;
}

// Profiles

type FieldValue = { id: number; value: string | null; rendered_value?: string };

export function profileChanged(user: WireUser, { id, value, rendered_value }: FieldValue): WireUser {
  const { [id]: _, ...others } = user.profile_data ?? {};
  if (value === null) return { ...user, profile_data: others };
  const entry = rendered_value === undefined ? { value } : { value, rendered_value };
  return { ...user, profile_data: { ...others, [id]: entry } };
}

/** Drops the values of deleted fields. */
export function profileFieldsChanged(state: State, { fields }: Of<"custom_profile_fields">): State {
  const ids = new Set(fields.map(({ id }) => String(id)));
  const withoutOldFields = (user: WireUser): WireUser => {
    const { profile_data } = user;
    if (!profile_data || Object.keys(profile_data).every((id) => ids.has(id))) return user;
    return { ...user, profile_data: Object.fromEntries(Object.entries(profile_data).filter(([id]) => ids.has(id))) };
  };
  return {
    ...state,
    ...(state.custom_profile_fields && { custom_profile_fields: fields }),
    ...(state.realm_users && { realm_users: state.realm_users.map(withoutOldFields) }),
    ...(state.realm_non_active_users && { realm_non_active_users: state.realm_non_active_users.map(withoutOldFields) }),
  };
}

// Navigation views

export function navigationViewsChanged(state: State, event: Of<"navigation_view">): State {
  const views = state.navigation_views;
  if (!views) return state;
  const fragment = event.op === "add" ? event.navigation_view.fragment : event.fragment;
  const before = views.find((view) => view.fragment === fragment);
  const others = views.filter((view) => view !== before);
  const byFragment = (a: WireNavigationView, b: WireNavigationView) => (a.fragment < b.fragment ? -1 : 1);
  if (event.op === "remove") return { ...state, navigation_views: others };
  const after = event.op === "add" ? event.navigation_view : before && { ...before, ...event.data };
  return { ...state, navigation_views: (after ? [...others, after] : others).sort(byFragment) };
}
