import { z } from "zod";
import { text } from "../../http/params.ts";
import { sessionToEnd, signInsToSee } from "../access/sessions.ts";
import { endOneSession } from "../actions/sessions.ts";
import { sessionList, wireSession, wireSignIns } from "../presenters/sessions.ts";
import { endpoint } from "./endpoint.ts";

export const getSessions = endpoint({
  route: "GET /host/sessions",
  summary: "The browsers in which the caller is signed in, newest first.",
  who: "member",
  guests: true,
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
  who: "member",
  guests: true,
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
    return {};
  },
});
