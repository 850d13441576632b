import { z } from "zod";
import { aboutParameter } from "../../errors.ts";
import { validPassword } from "../../host/credentials/passwords.ts";
import { text } from "../../http/params.ts";
import { channelUrl } from "../../markdown/urls.ts";
import type { Reader } from "../../storage/transaction.ts";
import { assertInvitedAddress, type Entry, entryBy } from "../access/invitations.ts";
import { allowedEmail, freeFullName } from "../access/organization.ts";
import { everybodySeesEverybody } from "../access/people.ts";
import { freeEmail, validFullName } from "../access/users.ts";
import { join } from "../actions/joining.ts";
import { organizationPictureUrl } from "../presenters/pictures.ts";
import { organizationSetting } from "../queries/organization.ts";
import { channelToBeginIn } from "../queries/subscriptions.ts";
import { ROLES } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";
import { entryOf, giveTheRest } from "./entry.ts";

const token = text().maxLength(100).describe("What stands in the link, or `open` where no invitation is required.");

/** The inviter's name, unless the link is for guests, who may not see everybody. */
function inviterName(reader: Reader, { invitation, inviter }: Entry): string | null {
  if (!invitation || !inviter || inviter.is_bot) return null;
  return invitation.role === ROLES.guest && !everybodySeesEverybody(reader) ? null : inviter.full_name;
}

export const openInvitation = endpoint({
  route: "POST /host/join/open",
  summary: "What a link leads to: for the page behind it.",
  who: "anyone",
  ignoreCredentials: true,
  ownPagesOnly: true,
  outsideApi: true,
  params: { token },
  response: z.object({
    organization: z.string(),
    picture: z.string().describe("Relative to the server."),
    invited_by: z.string().nullable(),
    email: z.string().nullable().describe("The one address that it is for, if it is."),
    role: z.int(),
  }),
  handle: (call) => {
    const { reader, params } = call;
    const entry = entryOf(call, params.token);
    return {
      organization: organizationSetting(reader, "name"),
      picture: organizationPictureUrl(reader, "icon"),
      invited_by: inviterName(reader, entry),
      email: entry.invitation?.email ?? null,
      role: entry.invitation?.role ?? ROLES.member,
    };
  },
});

/** The fields as they are stored, or an error that names the parameter. */
function allowedPerson(reader: Reader, entry: Entry, params: { full_name: string; email: string }) {
  const full_name = aboutParameter("full_name", () => freeFullName(reader, validFullName(params.full_name)));
  const email = aboutParameter("email", () => {
    assertInvitedAddress(entry, params.email);
    return allowedEmail(reader, freeEmail(reader, params.email));
  });
  return { full_name, email };
}

export const joinOrganization = endpoint({
  route: "POST /host/join",
  summary: "Join by an invitation: makes the account and answers with its API key.",
  who: "anyone",
  ignoreCredentials: true,
  ownPagesOnly: true,
  outsideApi: true,
  params: {
    token,
    full_name: text().describe("2 to 100 characters."),
    email: text().describe("What the person signs in with."),
    password: text().describe("6 to 100 characters."),
  },
  response: z.object({
    user_id: z.int(),
    full_name: z.string(),
    email: z.string(),
    api_key: z.string(),
    chat: z.string().describe("Where the chat page begins for them: their first channel. Relative to the server."),
  }),
  handle: async (call) => {
    const { reader, app, params, transact, source } = call;
    const entry = entryOf(call, params.token);
    app.joins.count(source);
    const { full_name, email } = allowedPerson(reader, entry, params);
    const password = await aboutParameter("password", () => validPassword(params.password, [full_name, email]));
    const password_hash = await app.passwords.hash(password, { source });
    // Checked again: while the password was hashed, the link may have been used or revoked, and the address taken.
    const newMember = transact((tx) => {
      const currentEntry = entryBy(tx, app.keys, params.token, tx.now);
      const person = { ...allowedPerson(tx, currentEntry, params), password_hash };
      return aboutParameter("email", () => join(tx, currentEntry, person));
    });
    await giveTheRest(call, newMember);
    const { user } = newMember;
    const first = channelToBeginIn(reader, user.id);
    return {
      user_id: user.id,
      full_name: user.full_name,
      email: user.email,
      api_key: app.keys.keyOf(user),
      chat: first ? channelUrl(first) : "/",
    };
  },
});
