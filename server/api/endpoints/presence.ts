import { z } from "zod";
import { boolean, integer, oneOf, text } from "../../http/params.ts";
import { userWithPresence } from "../access/users.ts";
import { noteActive, reportPresence } from "../actions/presence.ts";
import { presenceByClient, presenceOf, presencesSeenBy, userPresence, wirePresence } from "../presenters/presence.ts";
import { lastUpdateId } from "../queries/presence.ts";
import { endpoint } from "./endpoint.ts";

/** The default of POST /register. */
const HISTORY_DAYS = 14;

export const postPresence = endpoint({
  route: "POST /users/me/presence",
  summary: "Report the caller's presence and get presences of others.",
  who: "guest",
  bots: false,
  params: {
    status: oneOf("active", "idle"),
    ping_only: boolean().default(false).describe("Omits presences of others."),
    new_user_input: boolean().default(false).describe("Whether the user was active since the last report."),
    last_update_id: integer({ min: -1 })
      .optional()
      .describe("From the last response: only later changes, by user ID. -1 for the first request."),
    history_limit_days: integer({ min: 0 }).default(HISTORY_DAYS).describe("Omits users who were away for longer."),
    slim_presence: boolean().default(false).describe("Deprecated: use last_update_id. Presences by user ID."),
  },
  response: z.object({
    presence_last_update_id: z.int(),
    server_timestamp: z.number().optional(),
    presences: z.record(z.string(), z.union([wirePresence, presenceByClient])).optional(),
    zephyr_mirror_active: z.boolean().describe("Deprecated."),
  }),
  handle: ({ viewer, params, reader, transact, app }) => {
    const now = app.now();
    const { store } = app;
    reportPresence({ reader, announce: (...event) => store.announce(...event) }, viewer, {
      active: params.status === "active",
      now,
    });
    if (params.new_user_input) transact((tx) => noteActive(tx, [viewer.id]));
    const after = params.last_update_id;
    // The response contains no presences, so the client keeps its update ID.
    if (params.ping_only) return { presence_last_update_id: after ?? -1, zephyr_mirror_active: false };
    const slim = params.slim_presence || after !== undefined;
    return {
      presence_last_update_id: lastUpdateId(reader),
      server_timestamp: now / 1000,
      presences: presencesSeenBy(reader, viewer, { now, days: params.history_limit_days, slim, after }),
      zephyr_mirror_active: false,
    };
  },
});

export const getPresence = endpoint({
  route: "GET /users/{user_id_or_email}/presence",
  summary: "Get a user's presence.",
  who: "guest",
  params: { user_id_or_email: text().describe("A user ID or email address.") },
  response: z.object({ presence: userPresence }),
  handle: ({ viewer, params, reader, app }) => {
    const user = userWithPresence(reader, viewer, params.user_id_or_email, app.now());
    return { presence: presenceOf(reader, user, app.now()) };
  },
});

export const getPresences = endpoint({
  route: "GET /realm/presence",
  summary: "List presences of the last 14 days that the caller can see.",
  who: "guest",
  response: z.object({ server_timestamp: z.number(), presences: z.record(z.string(), presenceByClient) }),
  handle: ({ viewer, reader, app }) => {
    const now = app.now();
    const presences = presencesSeenBy(reader, viewer, { now, days: HISTORY_DAYS, slim: false });
    return { server_timestamp: now / 1000, presences: presences as Record<string, z.output<typeof presenceByClient>> };
  },
});
