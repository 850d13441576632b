import { z } from "zod";
import type { App } from "../../app.ts";
import {
  ApiError,
  aboutParameter,
  badRequest,
  type Problem,
  problem,
  problemText,
  refusedParameter,
} from "../../errors.ts";
import { boolean, integer, json, oneOf, rawOrJson, text } from "../../http/params.ts";
import type { Reader } from "../../storage/transaction.ts";
import { deliveryEmail } from "../access/email-visibility.ts";
import {
  allowedGrants,
  canGetLink,
  invitationToManage,
  invitedAddress,
  newInvitationSeed,
  personToInvite,
  type RefusedAddress,
  reasonNotInvited,
} from "../access/invitations.ts";
import { inviteByEmail, inviteByLink, inviteToClaim, revokeInvitation } from "../actions/invitations.ts";
import { mailInvitation } from "../actions/mails.ts";
import {
  addressOnWire,
  detailsOfInvitation,
  invitationDetails,
  invitationOnWire,
  invitationsSeenBy,
  wireInvitation,
} from "../presenters/invitations.ts";
import { type Grants, MAX_INVITED_A_DAY, MAX_WELCOME_TEXT_LENGTH, recentlyInvited } from "../queries/invitations.ts";
import { isMailOn } from "../queries/mails.ts";
import { operatorSetting } from "../queries/operator-settings.ts";
import { emailKey, ROLES } from "../queries/users.ts";
import { endpoint, type ValuesOf } from "./endpoint.ts";

const MINUTE_MS = 60_000;
/** A thousand years. */
const MAX_MINUTES = 525_960_000;
/** Per request: more than the daily limit. */
const MAX_ADDRESSES = 1000;

/** Channels or groups per invitation. */
const MAX_GRANTS = 250;
const ids = () => json(z.array(z.int()).max(MAX_GRANTS));

const invitationParams = {
  invite_expires_in_minutes: json(z.int().min(1).max(MAX_MINUTES).nullable())
    .optional()
    .describe("Null: never; default: INVITATION_LINK_VALIDITY_MINUTES of the server."),
  invite_as: oneOf(...Object.values(ROLES))
    .default(ROLES.member)
    .describe("Role of the new member; not above the caller's."),
  group_ids: ids().default([]).describe("Groups that they join; the caller must be able to add members."),
  include_realm_default_subscriptions: boolean()
    .default(false)
    .describe("Whether to subscribe them to the current default channels when they join."),
  welcome_message_custom_text: rawOrJson(
    z
      .string()
      .max(2 * MAX_WELCOME_TEXT_LENGTH + 2)
      .nullable(),
  )
    .default(null)
    .describe("Null: the organization's text; empty: none. Null unless the caller is an administrator."),
};
const STREAM_IDS =
  "Channels that they are subscribed to: default channels, or channels to which the caller can add subscribers.";

type InvitationInput = ValuesOf<typeof invitationParams> & { stream_ids: number[] };

const grantsFrom = (params: InvitationInput): Grants => ({
  role: params.invite_as,
  channelIds: params.stream_ids,
  groupIds: params.group_ids,
  defaultChannels: params.include_realm_default_subscriptions,
  // Clients can send text without JSON encoding. Then null arrives as "null".
  welcomeText: params.welcome_message_custom_text === "null" ? null : params.welcome_message_custom_text,
});

function expiry(reader: Reader, minutes: number | null | undefined, now: number): number | null {
  if (minutes === null) return null;
  return now + (minutes ?? operatorSetting(reader, "INVITATION_LINK_VALIDITY_MINUTES")) * MINUTE_MS;
}

/**
 * With the local authority, the link uses HTTP: a device that does not trust the root yet gets the trust page, not a
 * warning. Browsers do not send the fragment, so the token stays out of the unencrypted request.
 */
function linkTo({ app, baseUrl, isForwarded }: LinkedFrom, seed: string): string {
  const url = app.stateFeed.addressForOthers(baseUrl);
  const token = app.keys.invitationToken(seed);
  const hasTrustPage = app.https.root !== undefined && !isForwarded;
  return hasTrustPage ? `${url.replace(/^https:/, "http:")}/join/#${token}` : `${url}/join/${token}/`;
}

type LinkedFrom = { app: App; baseUrl: string; isForwarded: boolean };

function newLink({ app }: { app: App }): { seed: string; token: string } {
  const seed = newInvitationSeed();
  return { seed, token: app.keys.invitationToken(seed) };
}

export const createInvitationLink = endpoint({
  route: "POST /invites/multiuse",
  summary: "Create a reusable invitation link.",
  who: "member",
  params: { ...invitationParams, stream_ids: ids().default([]).describe(STREAM_IDS) },
  response: z.object({ invite_link: z.string() }),
  handle: (call) => {
    const { viewer, params, transact } = call;
    const { seed, token } = newLink(call);
    transact((tx) => {
      const grants = allowedGrants(tx, viewer, "link", grantsFrom(params));
      const expiresAt = expiry(tx, params.invite_expires_in_minutes, tx.now);
      inviteByLink(tx, viewer, { grants, seed, token, expiresAt });
    });
    return { invite_link: linkTo(call, seed) };
  },
});

export const getInvitations = endpoint({
  route: "GET /invites",
  summary: "List unexpired invitations: the caller's own or, for administrators, all.",
  who: "member",
  response: z.object({ invites: z.array(wireInvitation) }),
  handle: (call) => {
    const { viewer, reader, app } = call;
    return {
      invites: invitationsSeenBy(reader, viewer, app.now()).map((one) =>
        invitationOnWire(reader, one, canGetLink(reader, viewer, one) ? linkTo(call, one.seed) : undefined),
      ),
    };
  },
});

export const getInvitationDetails = endpoint({
  route: "GET /host/invitations",
  summary: "Get details of invitations: creators, grants and people who joined.",
  who: "member",
  bots: false,
  outsideApi: true,
  response: z.object({ invitations: z.array(invitationDetails) }),
  handle: ({ viewer, reader, app }) => ({
    invitations: invitationsSeenBy(reader, viewer, app.now()).map((one) => detailsOfInvitation(reader, viewer, one)),
  }),
});

/** Parses `a@b, Ann <c@d>`, separated by commas or lines. Removes duplicates. */
function addressesIn(list: string): string[] {
  const found = new Map<string, string>();
  for (const part of list.split(/[,\n]/)) {
    const address = (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim();
    if (address !== "" && !found.has(emailKey(address))) found.set(emailKey(address), address.normalize("NFC"));
  }
  if (found.size === 0) throw refusedParameter("invitee_emails", "email_addresses_missing");
  if (found.size > MAX_ADDRESSES)
    throw refusedParameter("invitee_emails", "too_many_email_addresses", { count: MAX_ADDRESSES });
  return [...found.values()];
}

const sendEmails = () =>
  boolean().default(true).describe("Whether to mail the links, if the server [sends email](#email).");

const invited = z.object({ email: z.string(), invite_link: z.string() });

const handedBack = {
  emails_sent: z.boolean().describe("Whether the server mails the links. If not, forward them yourself."),
  invitations: z.array(invited).describe("A link for each address. It works once."),
};

function invitationFailed(
  why: Problem,
  more: {
    errors: RefusedAddress[];
    daily_limit_reached?: boolean;
    invitations?: z.output<typeof invited>[];
    emails_sent?: boolean;
  },
): ApiError {
  const { invitations = [], errors, daily_limit_reached = false, emails_sent = false } = more;
  return new ApiError("INVITATION_FAILED", why, {
    errors: errors.map((one) => [one.email, problemText(one.why), one.deactivated]),
    problems: errors.map((one) => one.why), // in the same order
    sent_invitations: invitations.length > 0,
    daily_limit_reached,
    license_limit_reached: false,
    emails_sent,
    invitations,
  });
}

export const inviteByAddress = endpoint({
  route: "POST /invites",
  summary: "Invite people by email address. The response contains the links too.",
  who: "member",
  params: {
    invitee_emails: text().describe("Separated by commas or line breaks."),
    ...invitationParams,
    stream_ids: ids().describe(STREAM_IDS),
    notify_referrer_on_join: boolean()
      .default(true)
      .describe("Whether the caller gets a direct message when someone joins."),
    send_emails: sendEmails(),
  },
  response: z.object(handedBack),
  handle: (call) => {
    const { viewer, params, transact } = call;
    const addresses = addressesIn(params.invitee_emails);
    const links = addresses.map((email) => ({ email, ...newLink(call) }));
    const done = transact((tx) => {
      const grants = allowedGrants(tx, viewer, "personal", grantsFrom(params));
      const expiresAt = expiry(tx, params.invite_expires_in_minutes, tx.now);
      const refused = addresses.map((email) => reasonNotInvited(tx, email)).filter((why) => why !== undefined);
      const bad = new Set(refused.map(({ email }) => email));
      const good = links.filter(({ email }) => !bad.has(email));
      // Refused addresses count too and are not listed here. Otherwise callers could find out which addresses have
      // accounts.
      if (recentlyInvited(tx, tx.now) + addresses.length > MAX_INVITED_A_DAY)
        throw invitationFailed(problem("daily_invitation_limit", { count: MAX_INVITED_A_DAY }), {
          errors: [],
          daily_limit_reached: true,
        });
      const invitations = good.map((link) => ({ ...link, grants, expiresAt }));
      const ids = inviteByEmail(tx, viewer, invitations, {
        notifiesInviter: params.notify_referrer_on_join,
        asked: addresses.length,
      });
      const emails_sent = isMailOn(tx) && params.send_emails;
      if (emails_sent) for (const id of ids) mailInvitation(tx, id);
      return { refused, good, emails_sent };
    });
    const invitations = done.good.map(({ email, seed }) => ({ email, invite_link: linkTo(call, seed) }));
    const { emails_sent } = done;
    if (done.refused.length === 0) return { emails_sent, invitations };
    throw invitationFailed(problem(invitations.length > 0 ? "some_invitations_failed" : "all_invitations_failed"), {
      errors: done.refused,
      invitations,
      emails_sent: emails_sent && invitations.length > 0,
    });
  },
});

/** Per request. */
const MAX_CLAIMS = 250;

export const inviteImportedPeople = endpoint({
  route: "POST /host/claim-invitations",
  summary: "Create links with which imported people claim their accounts. Each replaces the person's earlier link.",
  who: "administrator",
  bots: false,
  outsideApi: true,
  params: {
    user_ids: json(z.array(z.int()).min(1).max(MAX_CLAIMS)).describe("Only owners can invite imported owners."),
    invite_expires_in_minutes: invitationParams.invite_expires_in_minutes,
    invite_as: oneOf(...Object.values(ROLES))
      .optional()
      .describe("Role of these people; not above the caller's. Default: the role from the import."),
    stream_ids: ids().default([]).describe(STREAM_IDS),
    group_ids: invitationParams.group_ids,
    include_realm_default_subscriptions: boolean()
      .default(true)
      .describe("Whether to subscribe them to the current default channels when they join."),
    welcome_message_custom_text: invitationParams.welcome_message_custom_text,
    send_emails: boolean()
      .default(true)
      .describe("Whether to mail the links to people with an address, if the server [sends email](#email)."),
  },
  response: z.object({
    invitations: z.array(
      z.object({
        user_id: z.int(),
        full_name: z.string(),
        email: z.string().nullable().describe("Null if the source had no address, or if it is hidden."),
        is_mailed: z.boolean(),
        invite_link: z.string().describe("It works once."),
      }),
    ),
  }),
  handle: (call) => {
    const { viewer, params, reader, app, transact } = call;
    const user_ids = [...new Set(params.user_ids)];
    const links = new Map(user_ids.map((id) => [id, newLink(call)] as const));
    const isMailed = (id: number) =>
      params.send_emails && isMailOn(reader) && invitedAddress(reader, { email: null, stub_id: id }) !== undefined;
    for (const id of user_ids) if (isMailed(id)) app.ownMails.count(`claim ${id}`);
    return transact((tx) => {
      const expiresAt = expiry(tx, params.invite_expires_in_minutes, tx.now);
      const invitations = [...links].map(([id, link]) => {
        const stub = aboutParameter("user_ids", () => personToInvite(tx, viewer, id));
        const { invite_as = stub.role } = params;
        const grants = allowedGrants(tx, viewer, "personal", grantsFrom({ ...params, invite_as }));
        return { ...link, stub, grants, expiresAt };
      });
      const ids = inviteToClaim(tx, viewer, invitations);
      for (const [at, { stub }] of invitations.entries()) if (isMailed(stub.id)) mailInvitation(tx, ids[at] as number);
      return {
        invitations: invitations.map(({ stub, seed }) => ({
          user_id: stub.id,
          full_name: stub.full_name,
          email: (deliveryEmail(tx, stub, viewer) && invitedAddress(tx, { email: null, stub_id: stub.id })) ?? null,
          is_mailed: isMailed(stub.id),
          invite_link: linkTo(call, seed),
        })),
      };
    });
  },
});

export const revokeInvitationLink = endpoint({
  route: "DELETE /invites/multiuse/{invite_id}",
  summary: "Revoke a reusable invitation link.",
  who: "member",
  params: { invite_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => revokeInvitation(tx, viewer, invitationToManage(tx, viewer, "link", params.invite_id, tx.now))),
});

export const revokeAddressInvitation = endpoint({
  route: "DELETE /invites/{invite_id}",
  summary: "Revoke an invitation to an email address or for an imported person.",
  who: "member",
  params: { invite_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) =>
      revokeInvitation(tx, viewer, invitationToManage(tx, viewer, "personal", params.invite_id, tx.now)),
    ),
});

export const resendInvitation = endpoint({
  route: "POST /invites/{invite_id}/resend",
  summary: "Get the link of an invitation for one person again, and mail it again.",
  who: "member",
  params: { invite_id: integer(), send_emails: sendEmails() },
  response: z.object(handedBack),
  handle: (call) => {
    const { viewer, params, reader, app, transact } = call;
    const invitation = invitationToManage(reader, viewer, "personal", params.invite_id, app.now());
    if (!canGetLink(reader, viewer, invitation)) throw badRequest("invitation_link_not_allowed");
    const { email, seed } = invitation;
    const refused = email === null ? undefined : reasonNotInvited(reader, email);
    if (refused) throw invitationFailed(problem("invitee_cannot_join"), { errors: [refused] });
    const emails_sent =
      isMailOn(reader) && params.send_emails && (email !== null || invitedAddress(reader, invitation) !== undefined);
    if (emails_sent) {
      app.ownMails.count(`invitation ${invitation.id}`);
      transact((tx) => mailInvitation(tx, invitation.id));
    }
    return {
      emails_sent,
      invitations: [{ email: addressOnWire(reader, invitation) ?? "", invite_link: linkTo(call, seed) }],
    };
  },
});
