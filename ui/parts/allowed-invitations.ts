import { isSelfIn } from "../api/settings-state.ts";
import type { State } from "../api/state-shape.ts";

/** A link for any number of people, or one for each address. */
export type InvitationKind = "link" | "email";

/** The kinds of invitations that the user can create: `create_multiuse_invite_group`, `can_invite_users_group`. */
export function allowedInvitations(state: State): readonly InvitationKind[] {
  const { realm_create_multiuse_invite_group: links, can_invite_others_to_realm: byEmail, is_guest } = state;
  const mayLink = is_guest !== true && links !== undefined && isSelfIn(state, links);
  return [...(mayLink ? (["link"] as const) : []), ...(byEmail ? (["email"] as const) : [])];
}

export const mayInvite = (state: State): boolean => allowedInvitations(state).length > 0;
