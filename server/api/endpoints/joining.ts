import { z } from "zod";
import { aboutParameter } from "../../errors.ts";
import { validPassword } from "../../host/credentials/passwords.ts";
import { text } from "../../http/params.ts";
import { channelUrl, topicUrl } from "../../markdown/urls.ts";
import type { Reader } from "../../storage/transaction.ts";
import { assertInvitedAddress, claimedBy, type Entry, entryBy, invitedAddress } from "../access/invitations.ts";
import { allowedEmail, freeFullName } from "../access/organization.ts";
import { everybodySeesEverybody } from "../access/people.ts";
import { freeEmail, validFullName } from "../access/users.ts";
import { join } from "../actions/joining.ts";
import { organizationPictureUrl } from "../presenters/pictures.ts";
import { organizationSetting } from "../queries/organization.ts";
import { channelToBeginIn } from "../queries/subscriptions.ts";
import { welcomeIn } from "../queries/topics.ts";
import { ROLES } from "../queries/users.ts";
import { beforeSignIn, endpoint } from "./endpoint.ts";
import { entryOf, grantRest } from "./entry.ts";

const token = text().maxLength(100).describe("The token in the link, or `open` if no invitation is required.");

/** Null for links for guests, who might not see everyone. */
function inviterName(reader: Reader, { invitation, inviter }: Entry): string | null {
  if (!invitation || !inviter || inviter.is_bot) return null;
  return invitation.role === ROLES.guest && !everybodySeesEverybody(reader) ? null : inviter.full_name;
}

export const openInvitation = endpoint({
  route: "POST /host/join/open",
  summary: "Get information about an invitation, for its page.",
  ...beforeSignIn,
  params: { token },
  response: z.object({
    organization: z.string(),
    picture: z.string().describe("Relative to the server."),
    invited_by: z.string().nullable(),
    email: z.string().nullable().describe("The invited address, if the invitation is for an address."),
    role: z.int(),
    claims: z
      .object({ full_name: z.string(), email: z.string().nullable() })
      .nullable()
      .describe("The imported account that the person claims. `email`: null if the source had none."),
  }),
  handle: (call) => {
    const { reader, params } = call;
    const entry = entryOf(call, params.token);
    const stub = claimedBy(reader, entry);
    const address = (stub && entry.invitation && invitedAddress(reader, entry.invitation)) ?? null;
    return {
      organization: organizationSetting(reader, "name"),
      picture: organizationPictureUrl(reader, "icon"),
      invited_by: inviterName(reader, entry),
      email: entry.invitation?.email ?? null,
      role: entry.invitation?.role ?? ROLES.member,
      claims: stub ? { full_name: stub.full_name, email: address } : null,
    };
  },
});

/** The URL at which a new member writes first: the topic of the welcome, or else the first channel. */
function beginningOf(reader: Reader, userId: number): string {
  const channel = channelToBeginIn(reader, userId);
  if (!channel) return "/";
  const welcome = channel.history_public_to_subscribers ? welcomeIn(reader, channel) : undefined;
  return welcome ? topicUrl(channel, welcome.topic, welcome.id) : channelUrl(channel);
}

/** Errors name the parameter. */
function allowedPerson(reader: Reader, entry: Entry, params: { full_name: string; email: string }) {
  const self = claimedBy(reader, entry);
  const full_name = aboutParameter("full_name", () => freeFullName(reader, validFullName(params.full_name), self));
  const email = aboutParameter("email", () => {
    assertInvitedAddress(entry, params.email);
    return allowedEmail(reader, freeEmail(reader, params.email, self));
  });
  return { full_name, email };
}

export const joinOrganization = endpoint({
  route: "POST /host/join",
  summary: "Join with an invitation. Creates the account, or claims an imported one, and returns its API key.",
  ...beforeSignIn,
  params: {
    token,
    full_name: text().describe("2 to 100 characters."),
    email: text().describe("The address for signing in."),
    password: text().describe("6 to 100 characters."),
  },
  response: z.object({
    user_id: z.int(),
    full_name: z.string(),
    email: z.string(),
    api_key: z.string(),
    chat: z
      .string()
      .describe("URL of the topic with the welcome, or of the new member's first channel. Relative to the server."),
  }),
  handle: async (call) => {
    const { reader, app, params, transact, source } = call;
    const entry = entryOf(call, params.token);
    app.joins.count(source);
    const { full_name, email } = allowedPerson(reader, entry, params);
    const password = await aboutParameter("password", () => validPassword(params.password, [full_name, email]));
    const password_hash = await app.passwords.hash(password, { source });
    // During hashing, the link may have been used or revoked and the email address taken.
    const newMember = transact((tx) => {
      const currentEntry = entryBy(tx, app.keys, params.token, tx.now);
      const person = { ...allowedPerson(tx, currentEntry, params), password_hash };
      return aboutParameter("email", () => join(tx, currentEntry, person));
    });
    await grantRest(call, newMember);
    const { user } = newMember;
    return {
      user_id: user.id,
      full_name: user.full_name,
      email: user.email,
      api_key: app.keys.keyOf(user),
      chat: beginningOf(reader, user.id),
    };
  },
});
