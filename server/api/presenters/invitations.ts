import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { canSeeChannel } from "../access/channels.ts";
import { apiEmail } from "../access/email-visibility.ts";
import { seesInvitation } from "../access/invitations.ts";
import { channelById } from "../queries/channels.ts";
import { type Invitation, joiningsByInvitation, openInvitations } from "../queries/invitations.ts";
import { ROLES, type User, userById } from "../queries/users.ts";
import { avatarUrl } from "./users.ts";

/** Open invitations that the viewer can see, oldest first. */
export const invitationsSeenBy = (reader: Reader, viewer: User, now: number): Invitation[] =>
  openInvitations(reader, now).filter((invitation) => seesInvitation(viewer, invitation));

/** An item of GET /invites: docs/protocol.md#invitations. */
export const wireInvitation = z.object({
  id: z.int(),
  invited_by_user_id: z.int(),
  invited: z.int().describe("Creation time, in seconds since the epoch."),
  expiry_date: z.int().nullable(),
  invited_as: z.literal(Object.values(ROLES)),
  email: z.string().optional().describe("Absent for reusable links."),
  notify_referrer_on_join: z.boolean(),
  link_url: z.string().optional().describe("Only for reusable links that the caller created or could create."),
  is_multiuse: z.boolean(),
});

/** Additional fields for Hearth's own pages, in GET /host/invitations. */
export const invitationDetails = z.object({
  id: z.int(),
  invited_by: z.string().describe("Full name of the creator."),
  stream_ids: z.array(z.int()).describe("Granted channels that the caller can see."),
  claims: z
    .object({ user_id: z.int(), full_name: z.string() })
    .nullable()
    .describe("The imported person whose account the link activates."),
  default_channels: z.boolean().describe("Whether it also grants the default channels at the time of joining."),
  joined: z.int().describe("Number of people who joined with it."),
  newest: z
    .array(z.object({ user_id: z.int(), full_name: z.string(), avatar_url: z.string(), joined_at: z.int() }))
    .describe("The newest 5 people who joined, newest first. `joined_at`: milliseconds since the epoch."),
});

const NEWEST_SHOWN = 5;

export function detailsOfInvitation(
  reader: Reader,
  viewer: User,
  { id, inviter_id, stub_id, channelIds, defaultChannels }: Invitation,
): z.output<typeof invitationDetails> {
  const stub = stub_id === null ? undefined : userById(reader, stub_id);
  const joinings = joiningsByInvitation(reader).get(id) ?? [];
  return {
    id,
    invited_by: userById(reader, inviter_id)?.full_name ?? "",
    stream_ids: channelIds.filter((channelId) => {
      const channel = channelById(reader, channelId);
      return channel !== undefined && canSeeChannel(reader, viewer, channel);
    }),
    claims: stub ? { user_id: stub.id, full_name: stub.full_name } : null,
    default_channels: defaultChannels,
    joined: joinings.length,
    newest: joinings.slice(0, NEWEST_SHOWN).flatMap(({ user_id, at }) => {
      const user = userById(reader, user_id);
      return user ? [{ user_id, full_name: user.full_name, avatar_url: avatarUrl(user), joined_at: at }] : [];
    }),
  };
}

/** Clients of the public protocol show the address of each invitation for one person. */
export function addressOnWire(
  reader: Reader,
  { email, stub_id }: Pick<Invitation, "email" | "stub_id">,
): string | null {
  const stub = stub_id === null ? undefined : userById(reader, stub_id);
  return stub ? apiEmail(reader, stub) : email;
}

/** `link`: the invitation's URL; undefined if the viewer cannot see it. */
export function invitationOnWire(
  reader: Reader,
  invitation: Invitation,
  link: string | undefined,
): z.output<typeof wireInvitation> {
  const email = addressOnWire(reader, invitation);
  return {
    id: invitation.id,
    invited_by_user_id: invitation.inviter_id,
    invited: Math.floor(invitation.made_at / 1000),
    expiry_date: invitation.expires_at === null ? null : Math.floor(invitation.expires_at / 1000),
    invited_as: invitation.role,
    ...(email !== null && { email }),
    notify_referrer_on_join: invitation.notifiesInviter,
    ...(email === null && link !== undefined && { link_url: link }),
    is_multiuse: email === null,
  };
}
