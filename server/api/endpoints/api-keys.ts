import { z } from "zod";
import { integer, text } from "../../http/params.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { userToChange } from "../access/users.ts";
import { replaceKey } from "../actions/sessions.ts";
import { endpoint } from "./endpoint.ts";
import { keepSignedIn, rejectHeldPolls, userByPassword } from "./password.ts";

export const regenerateKey = endpoint({
  route: "POST /users/me/api_key/regenerate",
  summary: "Create a new API key for the caller. Voids the old key and all other sessions.",
  who: "guest",
  response: z.object({ api_key: z.string() }),
  handle: (call) => {
    const { viewer, app } = call;
    const user = keepSignedIn(call, (tx) => replaceKey(tx, viewer, viewer));
    rejectHeldPolls(app, viewer.id);
    return { api_key: app.keys.keyOf(user) };
  },
});

export const revokeKey = endpoint({
  route: "POST /host/key-revocations",
  summary: "Void a user's API key and sessions. The user gets a new key with their password.",
  who: "administrator",
  bots: false,
  outsideApi: true,
  params: { user_id: integer() },
  handle: (call) => {
    const { viewer, params, app } = call;
    const revoke = (tx: Transaction) => replaceKey(tx, viewer, userToChange(tx, viewer, params.user_id));
    const user = params.user_id === viewer.id ? keepSignedIn(call, revoke) : call.transact((tx) => revoke(tx));
    rejectHeldPolls(app, user.id);
  },
});

export const fetchApiKey = endpoint({
  route: "POST /fetch_api_key",
  summary: "Get an API key with a password.",
  who: "anyone",
  ignoreCredentials: true,
  params: { username: text().describe("The email address."), password: text() },
  response: z.object({ api_key: z.string(), email: z.string(), user_id: z.int() }),
  handle: async (call) => {
    const user = await userByPassword(call, call.params);
    return { api_key: call.app.keys.keyOf(user), email: user.email, user_id: user.id };
  },
});
