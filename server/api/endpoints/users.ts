import { z } from "zod";
import { aboutParameter, badRequest } from "../../errors.ts";
import { validPassword } from "../../host/credentials/passwords.ts";
import type { Transact } from "../../http/endpoint.ts";
import { boolean, integer, json, listOf, oneOf, text } from "../../http/params.ts";
import type { Reader } from "../../storage/transaction.ts";
import { allowedInitialAccess } from "../access/invitations.ts";
import { allowedEmail, freeFullName } from "../access/organization.ts";
import { channelsOfUser } from "../access/subscriptions.ts";
import {
  administratorAsOfNow,
  allowedRole,
  assertNotLastOwner,
  freeEmail,
  userToChange,
  userToDeactivate,
  userToReactivate,
  userToSee,
  validFullName,
} from "../access/users.ts";
import { addPerson } from "../actions/joining.ts";
import { setProfileValues } from "../actions/profile-fields.ts";
import { deactivateUser, reactivateUser } from "../actions/user-deactivation.ts";
import { changeRole } from "../actions/user-roles.ts";
import { changeEmail, changeFullName } from "../actions/users.ts";
import { maxMessageId } from "../presenters/messages.ts";
import { userAccount, userSeenBy, usersSeenBy, type WireUser, wireUser, wireUserAccount } from "../presenters/users.ts";
import { ROLES, type User } from "../queries/users.ts";
import { endpoint, type ValuesOf } from "./endpoint.ts";
import { grantRest } from "./entry.ts";
import { givenValues } from "./params.ts";
import { turnOf } from "./password.ts";

/** Channels or groups per person. */
const MAX_GIVEN = 250;
const ids = () => json(z.array(z.int()).max(MAX_GIVEN));

/** Errors name the parameter. */
const allowedPerson = (reader: Reader, params: { email: string; full_name: string }) => ({
  email: aboutParameter("email", () => allowedEmail(reader, freeEmail(reader, params.email))),
  full_name: aboutParameter("full_name", () => freeFullName(reader, validFullName(params.full_name))),
});

export const addUser = endpoint({
  route: "POST /users",
  summary: "Add a person.",
  who: "administrator",
  params: {
    email: text().describe("The address for signing in."),
    password: text().describe("6 to 100 characters."),
    full_name: text().describe("2 to 100 characters."),
    invite_as: oneOf(...Object.values(ROLES))
      .default(ROLES.member)
      .describe("The role, as for an invitation. Only owners can add owners."),
    stream_ids: ids().optional().describe("Channels, as for an invitation; default: the default channels."),
    group_ids: ids().default([]).describe("Groups, as for an invitation."),
  },
  response: z.object({ user_id: z.int() }),
  handle: async (call) => {
    const { viewer, params, reader, transact, app } = call;
    const { email, full_name } = allowedPerson(reader, params);
    const start = { role: params.invite_as, channelIds: params.stream_ids, groupIds: params.group_ids };
    allowedInitialAccess(reader, viewer, start);
    const password = await aboutParameter("password", () => validPassword(params.password, [full_name, email]));
    const password_hash = await app.passwords.hash(password, turnOf(call));
    const newMember = transact((tx) => {
      // During hashing, the viewer may have lost the role and the email address may be taken.
      const actor = administratorAsOfNow(tx, viewer);
      const person = { ...allowedPerson(tx, params), password_hash };
      const allowed = allowedInitialAccess(tx, actor, start);
      return aboutParameter("email", () => addPerson(tx, actor, person, allowed));
    });
    await grantRest(call, newMember);
    return { user_id: newMember.user.id };
  },
});

const shape = {
  client_gravatar: boolean().default(true).describe("No effect: the server hosts all pictures."),
  include_custom_profile_fields: boolean().default(false),
};

function withFields(user: WireUser, { include_custom_profile_fields }: { include_custom_profile_fields: boolean }) {
  if (include_custom_profile_fields) return user;
  const { profile_data: _, ...rest } = user;
  return rest;
}

export const getUsers = endpoint({
  route: "GET /users",
  summary: "List users that the caller can see, including deactivated users and bots.",
  who: "guest",
  params: { ...shape, user_ids: listOf(integer()).optional().describe("Only these users.") },
  response: z.object({ members: z.array(wireUser) }),
  handle: ({ viewer, params, reader }) => {
    const requested = params.user_ids && new Set(params.user_ids);
    const members = usersSeenBy(reader, viewer).filter((user) => !requested || requested.has(user.user_id));
    return { members: members.map((user) => withFields(user, params)) };
  },
});

export const getOwnUser = endpoint({
  route: "GET /users/me",
  summary: "Get the caller.",
  who: "guest",
  response: wireUser.extend({
    bot_type: wireUser.shape.bot_type.exactOptional(),
    bot_owner_id: wireUser.shape.bot_owner_id.exactOptional(),
    max_message_id: z.int().describe("Deprecated."),
  }),
  handle: ({ viewer, reader }) => {
    const { bot_type, bot_owner_id, ...user } = userSeenBy(reader, viewer, viewer);
    // Strict clients refuse fields that the public protocol does not list here. Programs of bots need them.
    return {
      ...user,
      ...(viewer.is_bot && { bot_type, bot_owner_id }),
      max_message_id: maxMessageId(reader, viewer),
    };
  },
});

const oneUser = z.object({ user: wireUser });

export const getUser = endpoint({
  route: "GET /users/{user_id}",
  summary: "Get a user or bot.",
  who: "guest",
  params: { user_id: integer(), ...shape },
  response: oneUser,
  handle: ({ viewer, params, reader }) => ({
    user: withFields(userSeenBy(reader, userToSee(reader, viewer, params.user_id), viewer), params),
  }),
});

export const getUserByEmail = endpoint({
  route: "GET /users/{email}",
  summary: "Get a user or bot by login address or API email. Hidden login addresses match no one.",
  who: "guest",
  params: { email: text(), ...shape },
  response: oneUser,
  handle: ({ viewer, params, reader }) => ({
    user: withFields(userSeenBy(reader, userToSee(reader, viewer, params.email), viewer), params),
  }),
});

export const getUserChannels = endpoint({
  route: "GET /users/{user_id}/channels",
  summary: "List the channels of a user or bot that the caller can see.",
  who: "guest",
  params: { user_id: integer() },
  response: z.object({ subscribed_channel_ids: z.array(z.int()) }),
  handle: ({ viewer, params, reader }) => ({
    subscribed_channel_ids: channelsOfUser(reader, viewer, userToSee(reader, viewer, params.user_id)),
  }),
});

const changes = {
  full_name: text().optional().describe("2 to 100 characters."),
  role: oneOf(...Object.values(ROLES))
    .optional()
    .describe("Only owners can add or remove owners. The only owner keeps the role."),
  profile_data: givenValues.optional().describe("Values of custom profile fields; null removes a value."),
  new_email: text().optional().describe("The new address for signing in. Change your own with PATCH /settings."),
};

/** Makes all changes or none. */
function change(
  { viewer, transact, isOperator }: { viewer: User; transact: Transact; isOperator: boolean },
  named: number | string,
  { full_name, role, profile_data, new_email }: ValuesOf<typeof changes>,
): Record<string, never> {
  transact((tx) => {
    const { id } = userToChange(tx, viewer, named);
    const user = () => userToChange(tx, viewer, id);
    if (new_email !== undefined && id === viewer.id && !isOperator)
      throw badRequest("own_email_change", {}, { var_name: "new_email" });
    if (full_name !== undefined) aboutParameter("full_name", () => changeFullName(tx, viewer, user(), full_name));
    if (new_email !== undefined) aboutParameter("new_email", () => changeEmail(tx, viewer, user(), new_email));
    if (profile_data !== undefined)
      aboutParameter("profile_data", () => setProfileValues(tx, viewer, user(), profile_data));
    if (role === undefined) return;
    aboutParameter("role", () => changeRole(tx, viewer, user(), allowedRole(tx, viewer, user(), role)));
  });
  return {};
}

export const patchUser = endpoint({
  route: "PATCH /users/{user_id}",
  summary: "Change a user or bot. Only owners can change owners.",
  who: "administrator",
  params: { user_id: integer(), ...changes },
  handle: (call) => change(call, call.params.user_id, call.params),
});

export const patchUserByEmail = endpoint({
  route: "PATCH /users/{email}",
  summary: "Change a user or bot, by login address or API email.",
  who: "administrator",
  params: { email: text(), ...changes },
  handle: (call) => change(call, call.params.email, call.params),
});

export const getUserAccount = endpoint({
  route: "GET /host/users/{user_id}",
  summary: "Get the channels, sessions, open apps and pending messages of an account.",
  who: "administrator",
  bots: false,
  outsideApi: true,
  params: { user_id: integer() },
  response: wireUserAccount,
  handle: ({ viewer, params, reader, app, session }) => {
    const user = userToChange(reader, viewer, params.user_id);
    const listening = app.queues.listeningCount(user.id);
    return userAccount(reader, viewer, user, { now: app.now(), token: session, listening });
  },
});

export const deactivateSelf = endpoint({
  route: "DELETE /users/me",
  summary: "Deactivate the caller's account. Administrators can reactivate it. Refused for the only owner.",
  who: "guest",
  handle: ({ viewer, transact }) => {
    transact((tx) => {
      assertNotLastOwner(tx, viewer);
      deactivateUser(tx, viewer, viewer);
    });
  },
});

export const deactivate = endpoint({
  route: "DELETE /users/{user_id}",
  summary: "Deactivate a person and their bots, or a bot. Messages stay.",
  who: "administrator",
  params: {
    user_id: integer(),
    deactivation_notification_comment: text()
      .maxLength(2000)
      .optional()
      .describe("The reason, for the audit. The server sends no mail."),
  },
  handle: ({ viewer, params, transact }) => {
    const { user_id, deactivation_notification_comment: comment } = params;
    transact((tx) => deactivateUser(tx, viewer, userToDeactivate(tx, viewer, user_id), comment));
  },
});

export const reactivate = endpoint({
  route: "POST /users/{user_id}/reactivate",
  summary: "Reactivate a person or bot with their API key and subscriptions.",
  who: "member",
  params: { user_id: integer() },
  handle: ({ viewer, params, transact }) =>
    transact((tx) => reactivateUser(tx, viewer, userToReactivate(tx, viewer, params.user_id))),
});
