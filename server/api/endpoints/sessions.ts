import { z } from "zod";
import type { App } from "../../app.ts";
import { SESSION_CODE_MS } from "../../host/credentials/session-codes.ts";
import { unauthorized } from "../../http/authentication.ts";
import type { Call } from "../../http/endpoint.ts";
import { Redirect } from "../../http/file-answers.ts";
import { text } from "../../http/params.ts";
import { newSessionToken, SESSION_SECONDS, sessionToEnd, signInsToSee } from "../access/sessions.ts";
import { createSession, endOneSession, endSession } from "../actions/sessions.ts";
import { keepWebPush } from "../actions/web-push.ts";
import { sessionList, wireSession, wireSignIns } from "../presenters/sessions.ts";
import { avatarUrl } from "../presenters/users.ts";
import { isDeactivated } from "../queries/organization.ts";
import { ROLES, type User, userById } from "../queries/users.ts";
import { beforeSignIn, endpoint } from "./endpoint.ts";
import { userByPassword } from "./password.ts";

export const getSessions = endpoint({
  route: "GET /host/sessions",
  summary: "List the caller's sessions in browsers, newest first.",
  who: "guest",
  bots: false,
  outsideApi: true,
  response: z.object({ sessions: z.array(wireSession) }),
  handle: ({ viewer, reader, app, session }) => ({ sessions: sessionList(reader, viewer, app.now(), session) }),
});

export const getSignIns = endpoint({
  route: "GET /host/sign-ins",
  summary: "Count sessions in browsers, for users whom the caller can change. Omits users without sessions.",
  who: "administrator",
  bots: false,
  outsideApi: true,
  response: z.object({ sign_ins: z.array(wireSignIns) }),
  handle: ({ viewer, reader, app }) => ({ sign_ins: signInsToSee(reader, viewer, app.now()) }),
});

export const deleteSession = endpoint({
  route: "DELETE /host/sessions/{session_id}",
  summary: "End a session in a browser: the caller's own or, for administrators, another user's. API keys stay valid.",
  who: "guest",
  bots: false,
  outsideApi: true,
  params: { session_id: text() },
  handle: ({ viewer, params, transact, app }) => {
    const { user_id } = transact((tx) => {
      const session = sessionToEnd(tx, viewer, params.session_id);
      endOneSession(tx, viewer, session);
      return session;
    });
    app.queues.releasePolls(user_id);
  },
});

const ACCESS = ["host", "organization", "own", "none"] as const;
type Access = (typeof ACCESS)[number];

function accessOf(viewer: User | null): Access {
  if (!viewer || viewer.is_bot || viewer.role === ROLES.guest) return "none";
  if (viewer.role === ROLES.owner) return "host";
  return viewer.role === ROLES.administrator ? "organization" : "own";
}

export const getOperatorSession = endpoint({
  route: "GET /host/session",
  summary: "Get the current session, and whether the organization exists.",
  who: "anyone",
  outsideApi: true,
  response: z.object({
    setup: z.boolean().describe("Whether POST /host/setup must create the organization."),
    code_needed: z.boolean().describe("Whether POST /host/setup needs the one-time code."),
    data_folder: z
      .string()
      .describe("Empty unless the caller is the operator or, in the first run, on the server's machine."),
    at_desktop: z.boolean().describe("Whether the request has the operator's credential."),
    access: z
      .enum(ACCESS)
      .describe(
        "The caller's access to the administration pages. `host`: everything (operator, owners); " +
          "`organization`: everything except the machine (administrators); `own`: only their own settings (members); `none`: no access.",
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
      .describe("The signed-in user. For the operator: the owner whose permissions it uses."),
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

/** Replaces the browser's session. */
function startSession(
  call: Pick<Call<App, unknown, unknown>, "session" | "userAgent" | "transact" | "setSession">,
  user: User,
): void {
  const token = newSessionToken();
  const before = call.session;
  call.transact((tx) => {
    keepWebPush(tx, { before, after: token }, () => {
      if (before !== undefined) endSession(tx, before);
      return user;
    });
    createSession(tx, user, { token, userAgent: call.userAgent });
  });
  call.setSession(token, SESSION_SECONDS);
}

export const signIn = endpoint({
  route: "POST /host/session",
  summary: "Sign in to the server's pages with a password. The response sets a cookie that works like an API key.",
  ...beforeSignIn,
  params: { username: text().describe("The email address."), password: text() },
  response: z.object({ user_id: z.int(), full_name: z.string(), role: z.int() }),
  handle: async (call) => {
    const user = await userByPassword(call, call.params);
    startSession(call, user);
    return { user_id: user.id, full_name: user.full_name, role: user.role };
  },
});

export const signOut = endpoint({
  route: "DELETE /host/session",
  summary: "Sign out: end the session of the cookie.",
  who: "anyone",
  ownPagesOnly: true,
  outsideApi: true,
  handle: (call) => {
    const { session, transact } = call;
    if (session !== undefined) transact((tx) => endSession(tx, session));
    call.removeSession();
  },
});

export const createDeskSession = endpoint({
  route: "POST /host/sessions",
  summary: "Create a session of the owner, for the chat window of the desktop app.",
  who: "operator",
  outsideApi: true,
  response: z.object({ user_id: z.int(), token: z.string(), expires_in_seconds: z.int() }),
  handle: ({ viewer, transact, userAgent }) => {
    if (!viewer) throw unauthorized("owner_missing");
    const token = newSessionToken();
    transact((tx) => createSession(tx, viewer, { token, userAgent }));
    return { user_id: viewer.id, token, expires_in_seconds: SESSION_SECONDS };
  },
});

export const createSessionCode = endpoint({
  route: "POST /host/session-codes",
  summary: "Create a URL that signs a browser of this machine in as the owner. It works once within a minute.",
  who: "operator",
  outsideApi: true,
  response: z.object({ path: z.string(), expires_in_seconds: z.int() }),
  handle: ({ viewer, app }) => {
    if (!viewer) throw unauthorized("owner_missing");
    return {
      path: `/host/session-codes/${app.sessionCodes.create(viewer.id)}`,
      expires_in_seconds: SESSION_CODE_MS / 1000,
    };
  },
});

export const openSession = endpoint({
  route: "GET /host/session-codes/{code}",
  summary: "Open the chat, signed in with a code of the operator. Other codes open it too, without a sign-in.",
  who: "anyone",
  outsideApi: true,
  sendsFile: true,
  params: { code: text() },
  handle: (call) => {
    const { viewer, reader, app, params } = call;
    const userId = call.isLocal ? app.sessionCodes.redeem(params.code) : undefined;
    const user = userId === undefined ? undefined : userById(reader, userId);
    if (user?.is_active && user.id !== viewer?.id && !isDeactivated(reader)) startSession(call, user);
    // Browsers keep the fragment, which names the conversation.
    return new Redirect("/");
  },
});
