import { createContext, useContext } from "react";
import type { State } from "../../api/state-shape.ts";
import { useOrganization } from "../admin-context.ts";
import type { AdminPath } from "../navigation.ts";

/** The page that shows the target of an audit entry. */
export interface Place {
  readonly to: AdminPath;
  /** The row that is open there. */
  readonly open?: string;
}

/**
 * In a list with links: the target whose page this is, or "". Undefined in a list without links.
 */
export const PlacesBesides = createContext<string | undefined>(undefined);

/** Pages that open a row. */
const OPENED = new Set<AdminPath>(["/people", "/bots", "/channels", "/groups"]);

/** The location of an audit target, if it still exists and the viewer sees it. */
export function usePlace(target: string): Place | undefined {
  const besides = useContext(PlacesBesides);
  const leads = besides !== undefined && target !== besides;
  const to = useOrganization((state) => (leads ? pagesByTarget(state).get(target) : undefined));
  if (to === undefined) return undefined;
  return OPENED.has(to) ? { to, open: target.slice(target.lastIndexOf(" ") + 1) } : { to };
}

const partsOf = (state: State) =>
  [
    state.realm_users,
    state.realm_non_active_users,
    state.subscriptions,
    state.unsubscribed,
    state.never_subscribed,
    state.realm_user_groups,
    state.channel_folders,
    state.custom_profile_fields,
  ] as const;

let cached: { parts: ReturnType<typeof partsOf>; pages: ReadonlyMap<string, AdminPath> } | undefined;

/** Cached, since every entry of a list calls this at every event. */
function pagesByTarget(state: State): ReadonlyMap<string, AdminPath> {
  const parts = partsOf(state);
  if (cached && parts.every((part, at) => part === cached?.parts[at])) return cached.pages;
  const pages = new Map<string, AdminPath>();
  const [active, deactivated, subscribed, unsubscribed, never, groups, folders, fields] = parts;
  for (const { user_id, is_bot } of [...(active ?? []), ...(deactivated ?? [])])
    pages.set(`user ${user_id}`, is_bot ? "/bots" : "/people");
  for (const { stream_id } of [...(subscribed ?? []), ...(unsubscribed ?? []), ...(never ?? [])])
    pages.set(`channel ${stream_id}`, "/channels");
  for (const { id } of groups ?? []) pages.set(`user group ${id}`, "/groups");
  for (const { id } of folders ?? []) pages.set(`channel folder ${id}`, "/folders");
  for (const { id } of fields ?? []) pages.set(`profile field ${id}`, "/profile-fields");
  cached = { parts, pages };
  return pages;
}
