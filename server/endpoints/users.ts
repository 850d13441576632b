import { z } from "zod";
import { validPassword } from "../access/passwords.ts";
import { freeEmail, validFullName } from "../access/users.ts";
import { createUser } from "../actions/users.ts";
import { boolean, integer, listOf, text } from "../http/params.ts";
import { maxMessageId } from "../queries/messages.ts";
import { userSeenBy, usersSeenBy, wireUser } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";

export const addUser = endpoint({
  route: "POST /users",
  summary: "Add a person.",
  who: "administrator",
  params: {
    email: text().describe("The address that the person signs in with."),
    password: text().describe("6 to 100 characters."),
    full_name: text().describe("2 to 100 characters."),
  },
  response: z.object({ user_id: z.int() }),
  handle: async ({ viewer, params, reader, transact, app }) => {
    const [email, full_name] = [freeEmail(reader, params.email), validFullName(params.full_name)];
    const password_hash = await app.passwords.hash(validPassword(params.password));
    return { user_id: transact((tx) => createUser(tx, viewer, { email, full_name, password_hash }).id) };
  },
});

export const getUsers = endpoint({
  route: "GET /users",
  summary: "Everyone in the organization, deactivated users and bots too.",
  who: "member",
  guests: true,
  params: {
    client_gravatar: boolean().default(true).describe("Changes nothing: pictures are the server's own."),
    include_custom_profile_fields: boolean().default(false),
    user_ids: listOf(integer()).optional().describe("Only these."),
  },
  response: z.object({ members: z.array(wireUser) }),
  handle: ({ viewer, params, reader }) => {
    const wanted = params.user_ids && new Set(params.user_ids);
    const members = usersSeenBy(reader, viewer).filter((user) => !wanted || wanted.has(user.user_id));
    if (params.include_custom_profile_fields) return { members };
    return { members: members.map(({ profile_data: _, ...user }) => user) };
  },
});

export const getOwnUser = endpoint({
  route: "GET /users/me",
  summary: "The caller.",
  who: "member",
  guests: true,
  response: wireUser.extend({ max_message_id: z.int().describe("Deprecated.") }),
  handle: ({ viewer, reader }) => ({
    ...userSeenBy(reader, viewer, viewer),
    max_message_id: maxMessageId(reader, viewer),
  }),
});
