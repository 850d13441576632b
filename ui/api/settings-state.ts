import type { WireUser } from "../../server/api/presenters/users.ts";
import type { GroupSetting } from "../../server/api/queries/permission-settings.ts";
import type { PersonChange } from "../../server/events/catalogue.ts";
import { profileChanged } from "./people-state.ts";
import type { Of, State } from "./state-shape.ts";

// The organization

/** Applies changed fields, with the prefix `realm_`, and updates the fields that follow from them. */
export function organizationChanged(state: State, event: Of<"realm">): State {
  if (event.op === "deactivated" || state.realm_name === undefined) return state;
  const changed = event.op === "update" ? { [event.property]: event.value } : event.data;
  const fields = Object.entries(changed).map(([name, value]) => [
    name === "max_file_upload_size_mib" ? name : `realm_${name}`,
    value,
  ]);
  const next: State = { ...state, ...Object.fromEntries(fields) };
  const jitsiServer = next.realm_jitsi_server_url ?? next.server_jitsi_server_url;
  if (jitsiServer !== undefined) next.jitsi_server_url = jitsiServer;
  if (next.realm_authentication_methods)
    next.realm_email_auth_enabled = next.realm_password_auth_enabled = next.realm_authentication_methods.Email.enabled;
  return withOwnPermissions(next);
}

/** Whether the group setting contains this user, directly or by a group. */
export function isSelfIn(state: State, setting: GroupSetting): boolean {
  const self = state.user_id ?? 0;
  const groups = new Map(state.realm_user_groups?.map((group) => [group.id, group]));
  const seen = new Set<number>();
  const waiting = typeof setting === "number" ? [setting] : [...setting.direct_subgroups];
  if (typeof setting !== "number" && setting.direct_members.includes(self)) return true;
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    if (groups.get(id)?.members.includes(self)) return true;
    waiting.push(...(groups.get(id)?.direct_subgroup_ids ?? []));
  }
  return false;
}

/**
 * Computes the user's `can_…` fields. No event reports them: they follow from the organization's settings and groups.
 * Guests have none of these permissions.
 */
export function withOwnPermissions(state: State): State {
  if (!state.realm_user_groups || state.can_create_streams === undefined || !state.realm_can_invite_users_group)
    return state;
  const may = (setting: GroupSetting | undefined) =>
    setting !== undefined && state.is_guest !== true && isSelfIn(state, setting);
  const can_create_public_streams = may(state.realm_can_create_public_channel_group);
  const can_create_private_streams = may(state.realm_can_create_private_channel_group);
  const isOpen = state.server_web_public_streams_enabled === true && state.realm_enable_spectator_access === true;
  return {
    ...state,
    can_create_public_streams,
    can_create_private_streams,
    can_create_web_public_streams: isOpen && may(state.realm_can_create_web_public_channel_group),
    can_create_streams: can_create_public_streams || can_create_private_streams,
    can_subscribe_other_users: may(state.realm_can_add_subscribers_group),
    can_invite_others_to_realm: may(state.realm_can_invite_users_group),
  };
}

export function domainsChanged(state: State, event: Of<"realm_domains">): State {
  const domains = state.realm_domains;
  if (!domains) return state;
  const name = event.op === "remove" ? event.domain : event.realm_domain.domain;
  const others = domains.filter(({ domain }) => domain !== name);
  const all = event.op === "remove" ? others : [...others, event.realm_domain];
  return { ...state, realm_domains: all.sort((a, b) => (a.domain < b.domain ? -1 : 1)) };
}

export function emojiChanged(state: State, event: Of<"realm_emoji">): State {
  const { realm_emoji: emoji } = state;
  if (!emoji) return state;
  if (event.op === "update") return { ...state, realm_emoji: event.realm_emoji };
  const id = event.op === "add" ? event.emoji.id : event.emoji_id;
  const changed = event.op === "add" ? event.emoji : { ...emoji[id], ...event.data };
  return { ...state, realm_emoji: { ...emoji, [id]: changed } as typeof emoji };
}

function withProperty(
  state: State,
  part: "user_settings" | "realm_user_settings_defaults",
  property: string,
  value: unknown,
): State {
  const settings = state[part];
  return settings ? { ...state, [part]: { ...settings, [property]: value } } : state;
}

export const defaultSettingChanged = (state: State, event: Of<"realm_user_settings_defaults">): State =>
  withProperty(state, "realm_user_settings_defaults", event.property, event.value);

// The user's settings

export function userSettingChanged(state: State, { property, value }: Of<"user_settings">): State {
  const next = withProperty(state, "user_settings", property, value);
  // The server deletes the drafts as well, without an event.
  return property === "enable_drafts_synchronization" && value === false && next.drafts
    ? { ...next, drafts: [] }
    : next;
}

/** Older clients have these settings at the top level of the state. */
export function legacySettingChanged(
  state: State,
  event: Of<"update_display_settings"> | Of<"update_global_notifications">,
): State {
  const name = event.type === "update_display_settings" ? event.setting_name : event.notification_name;
  return name in state ? { ...state, [name]: event.setting } : state;
}

// People

function changedPerson(user: WireUser, change: PersonChange): WireUser {
  if (user.user_id !== change.user_id) return user;
  if ("new_email" in change) return { ...user, email: change.new_email };
  if ("timezone" in change) return { ...user, timezone: change.timezone };
  if ("role" in change) return { ...user, role: change.role, ...roleFlags(change.role) };
  if ("custom_profile_field" in change) return profileChanged(user, change.custom_profile_field);
  if ("avatar_url" in change) {
    const { avatar_url, avatar_version } = change;
    return { ...user, avatar_url, avatar_version };
  }
  return { ...user, ...change };
}

const roleFlags = (role: number) => ({ is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 });

/** Splits people into the lists of active and deactivated users. */
function sorted(state: State, users: readonly WireUser[]): State {
  const next: State = { ...state };
  if (state.realm_users) next.realm_users = users.filter((user) => user.is_active);
  if (state.realm_non_active_users) next.realm_non_active_users = users.filter((user) => !user.is_active);
  return next;
}

const everybody = (state: State): WireUser[] => [...(state.realm_users ?? []), ...(state.realm_non_active_users ?? [])];

export function peopleChanged(state: State, event: Of<"realm_user">): State {
  if (event.op === "update") return personChanged(state, event.person);
  const others = everybody(state).filter(({ user_id }) => user_id !== event.person.user_id);
  return sorted(state, event.op === "add" ? [...others, event.person] : others);
}

function personChanged(state: State, change: PersonChange): State {
  const next = sorted(
    state,
    everybody(state).map((user) => changedPerson(user, change)),
  );
  if (change.user_id !== state.user_id) return next;
  if ("new_email" in change && "email" in state) return { ...next, email: change.new_email };
  if ("delivery_email" in change && change.delivery_email !== null && "delivery_email" in state)
    return { ...next, delivery_email: change.delivery_email };
  if ("full_name" in change && "full_name" in state) return { ...next, full_name: change.full_name };
  if ("avatar_url" in change && "avatar_url" in state) {
    const { avatar_url, avatar_url_medium, avatar_source } = change;
    return { ...next, avatar_url, avatar_url_medium, avatar_source };
  }
  if ("role" in change && "is_guest" in state)
    return withOwnPermissions({ ...next, ...roleFlags(change.role), is_moderator: change.role <= 300 });
  return next;
}
