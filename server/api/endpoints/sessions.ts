import { z } from "zod";
import { text } from "../../http/params.ts";
import { newSessionToken, SESSION_SECONDS, sessionToEnd, signInsToSee } from "../access/sessions.ts";
import { createSession, endOneSession, endSession } from "../actions/sessions.ts";
import { sessionList, wireSession, wireSignIns } from "../presenters/sessions.ts";
import { avatarUrl } from "../presenters/users.ts";
import { ROLES, type User } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";
import { userByPassword } from "./password.ts";

export const getSessions = endpoint({
  route: "GET /host/sessions",
  summary: "The browsers in which the caller is signed in, newest first.",
  who: "guest",
  bots: false,
  outsideApi: true,
  response: z.object({ sessions: z.array(wireSession) }),
  handle: ({ viewer, reader, app, session }) => ({ sessions: sessionList(reader, viewer, app.now(), session) }),
});

export const getSignIns = endpoint({
  route: "GET /host/sign-ins",
  summary:
    "In how many browsers people are signed in, of those whom the caller may change; who is in none is left out.",
  who: "administrator",
  bots: false,
  outsideApi: true,
  response: z.object({ sign_ins: z.array(wireSignIns) }),
  handle: ({ viewer, reader, app }) => ({ sign_ins: signInsToSee(reader, viewer, app.now()) }),
});

export const deleteSession = endpoint({
  route: "DELETE /host/sessions/{session_id}",
  summary: "Sign one browser out: the caller's own, or, for administrators, somebody's. Keys stay as they are.",
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

export const getHostSession = endpoint({
  route: "GET /host/session",
  summary: "Whether there is an organization yet, and who calls.",
  who: "anyone",
  outsideApi: true,
  response: z.object({
    setup: z.boolean().describe("There is no organization yet: POST /host/setup makes it."),
    code_needed: z.boolean().describe("POST /host/setup takes the one-time code."),
    data_folder: z.string().describe("At the desktop, and in first run on the server's own machine; else empty."),
    at_desktop: z.boolean().describe("Called with the host's credential."),
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
      .describe("Who is signed in; at the desktop, the owner in whose name it acts."),
  }),
  handle: ({ viewer, app, atDesktop }) => ({
    setup: false,
    code_needed: false,
    data_folder: atDesktop ? app.dataFolder : "",
    at_desktop: atDesktop,
    access: atDesktop ? "host" : accessOf(viewer),
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
  },
});
