import { z } from "zod";
import { text } from "../../http/params.ts";
import { newSessionToken, SESSION_SECONDS } from "../access/sessions.ts";
import { createSession, endSession } from "../actions/sessions.ts";
import { avatarUrl } from "../presenters/users.ts";
import { ROLES, type User } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";
import { userByPassword } from "./password.ts";

const ACCESS = ["host", "organization", "own", "none"] as const;
type Access = (typeof ACCESS)[number];

function accessOf(viewer: User | null): Access {
  if (!viewer || viewer.is_bot || viewer.role === ROLES.guest) return "none";
  if (viewer.role === ROLES.owner) return "host";
  return viewer.role === ROLES.administrator ? "organization" : "own";
}

export const getOperatorSession = endpoint({
  route: "GET /host/session",
  summary: "Whether there is an organization yet, and who calls.",
  who: "anyone",
  outsideApi: true,
  response: z.object({
    setup: z.boolean().describe("There is no organization yet: POST /host/setup makes it."),
    code_needed: z.boolean().describe("POST /host/setup takes the one-time code."),
    data_folder: z.string().describe("For the operator, and in first run on the server's own machine; else empty."),
    at_desktop: z.boolean().describe("Called with the operator's token."),
    access: z
      .enum(ACCESS)
      .describe(
        "What the administration page is for the caller. `host`: all of it, the machine too (the operator, owners); " +
          "`organization`: all but the machine (administrators); `own`: what members may do; `none`: guests, nobody.",
      ),
    user: z
      .object({
        user_id: z.int(),
        full_name: z.string(),
        email: z.string(),
        role: z.int(),
        avatar_url: z.string(),
      })
      .nullable()
      .describe("Who is signed in; for the operator, the owner in whose name the request acts."),
  }),
  handle: ({ viewer, app, isOperator }) => ({
    setup: false,
    code_needed: false,
    data_folder: isOperator ? app.dataFolder : "",
    at_desktop: isOperator,
    access: isOperator ? "host" : accessOf(viewer),
    user: viewer && {
      user_id: viewer.id,
      full_name: viewer.full_name,
      email: viewer.email,
      role: viewer.role,
      avatar_url: avatarUrl(viewer),
    },
  }),
});

export const signIn = endpoint({
  route: "POST /host/session",
  summary: "Sign in at the server's pages with a password: the answer sets a cookie that works like an API key.",
  who: "anyone",
  ignoreCredentials: true,
  ownPagesOnly: true,
  outsideApi: true,
  params: { username: text().describe("The email address."), password: text() },
  response: z.object({ user_id: z.int(), full_name: z.string(), role: z.int() }),
  handle: async (call) => {
    const user = await userByPassword(call, call.params);
    const token = newSessionToken();
    const before = call.session;
    call.transact((tx) => {
      if (before !== undefined) endSession(tx, before);
      createSession(tx, user, { token, userAgent: call.userAgent });
    });
    call.setSession(token, SESSION_SECONDS);
    return { user_id: user.id, full_name: user.full_name, role: user.role };
  },
});

export const signOut = endpoint({
  route: "DELETE /host/session",
  summary: "Sign out: ends the session of the cookie.",
  who: "anyone",
  ownPagesOnly: true,
  outsideApi: true,
  handle: (call) => {
    const { session, transact } = call;
    if (session !== undefined) transact((tx) => endSession(tx, session));
    call.removeSession();
    return {};
  },
});
