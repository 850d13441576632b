import { createContext, useMemo } from "react";
import { useOrganization } from "../admin-context.ts";
import type { AdminPath } from "../navigation.ts";

/** Where the window shows what an entry of the audit is about. */
export interface Place {
  readonly to: AdminPath;
  /** Of the row that is open there. */
  readonly open?: string;
}

/** By target, as the audit names it: of what still exists, and the viewer sees. */
export type Places = ReadonlyMap<string, Place>;

export const AuditPlaces = createContext<Places>(new Map());

/** `besides`: the target whose page it is already. */
export function usePlaces(besides: string | undefined): Places {
  const active = useOrganization(({ realm_users }) => realm_users);
  const deactivated = useOrganization(({ realm_non_active_users }) => realm_non_active_users);
  const subscribed = useOrganization(({ subscriptions }) => subscriptions);
  const unsubscribed = useOrganization((state) => state.unsubscribed);
  const never = useOrganization(({ never_subscribed }) => never_subscribed);
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups);
  const folders = useOrganization(({ channel_folders }) => channel_folders);
  const fields = useOrganization(({ custom_profile_fields }) => custom_profile_fields);
  return useMemo(() => {
    const places = new Map<string, Place>();
    for (const { user_id, is_bot } of [...(active ?? []), ...(deactivated ?? [])])
      places.set(`user ${user_id}`, { to: is_bot ? "/bots" : "/people", open: String(user_id) });
    for (const { stream_id } of [...(subscribed ?? []), ...(unsubscribed ?? []), ...(never ?? [])])
      places.set(`channel ${stream_id}`, { to: "/channels", open: String(stream_id) });
    for (const { id } of groups ?? []) places.set(`user group ${id}`, { to: "/groups", open: String(id) });
    for (const { id } of folders ?? []) places.set(`channel folder ${id}`, { to: "/folders" });
    for (const { id } of fields ?? []) places.set(`profile field ${id}`, { to: "/profile-fields" });
    if (besides) places.delete(besides);
    return places;
  }, [active, deactivated, subscribed, unsubscribed, never, groups, folders, fields, besides]);
}
