import { arch, cpus, freemem, release, totalmem } from "node:os";
import { z } from "zod";
import type { App } from "../../app.ts";
import { unavailable } from "../../http/envelope.ts";
import { downloadAnswer } from "../../http/file-answers.ts";
import { integer, oneOf, text } from "../../http/params.ts";
import type { Reader } from "../../storage/transaction.ts";
import { organizationFigures } from "../presenters/server-state.ts";
import {
  isSetByEnvironment,
  LOG_LEVELS,
  OPERATOR_SETTING_NAMES,
  operatorSettings,
} from "../queries/operator-settings.ts";
import { organizationSettings } from "../queries/organization.ts";
import { endpoint, forOwners } from "./endpoint.ts";

/** Proxies and browsers close polls that take a minute. */
const HELD_MS = 50_000;

const logLine = z
  .looseObject({ id: z.int(), time: z.int(), level: z.enum(LOG_LEVELS), msg: z.string() })
  .describe("`time`: milliseconds since the epoch. Other fields depend on the line.");

export const getOperatorLogs = endpoint({
  ...forOwners,
  route: "GET /host/logs",
  summary: "Get the server's log, newest first. With `after`, waits for newer lines.",
  // Log lines determine how often a held poll returns, not the client.
  countsTowardsLimit: (fields) => !fields.has("after"),
  params: {
    level: oneOf(...LOG_LEVELS)
      .default("debug")
      .describe("Minimum level."),
    text: text().maxLength(200).optional().describe("Only lines with this text. Ignores case."),
    before: integer({ min: 1 }).optional().describe("Only lines before this ID."),
    after: integer({ min: 0 }).optional().describe("Only lines after this ID. Waits for up to a minute."),
    limit: integer({ min: 1, max: 500 }).default(100),
  },
  response: z.object({
    lines: z.array(logLine),
    next: z.int().nullable().describe("Value of `before` for the next page; null if there is none."),
    newest: z.int().describe("Value of `after` to wait for newer lines."),
  }),
  handle: async (call) => {
    const { after, ...search } = call.params;
    const { log } = call.app;
    let gone = false;
    call.onGone(() => {
      gone = true;
    });
    const end = performance.now() + HELD_MS;
    for (;;) {
      const newest = log.files.lastId;
      const { lines, next } = await log.read({ ...search, after });
      if (gone) throw unavailable("client_disconnected");
      const isOver = log.files.isStopping || performance.now() >= end;
      if (after === undefined || lines.length > 0 || isOver) return { lines: [...lines], next, newest };
      await written(call.app, end - performance.now(), call.onGone.bind(call));
    }
  },
});

/** Resolves when the log is written, the time is over, the caller disconnects or the server stops. */
function written({ log }: App, ms: number, onGone: (listener: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      endListening();
      resolve();
    };
    const timer = setTimeout(done, ms);
    const endListening = log.files.onWrite(done);
    onGone(done);
  });
}

/** Newest lines in the bundle. */
const MAX_BUNDLED = 20_000;

export const getLogBundle = endpoint({
  ...forOwners,
  route: "GET /host/logs/bundle",
  summary:
    "Download a file for support: version, system, settings and newest log lines, without secrets, names and messages.",
  sendsFile: true,
  handle: async ({ app, reader }) => {
    const { lines } = await app.log.read({ level: "debug", limit: MAX_BUNDLED });
    const bundle = `${JSON.stringify({ ...about(app, reader), log: lines }, null, 1)}\n`;
    const time = new Date(app.now()).toISOString().slice(0, 16).replace(":", "-");
    return downloadAnswer(`hearth-help-${time}.json`, "application/json", bundle);
  },
});

function about(app: App, reader: Reader) {
  const {
    name: _name,
    picture_url: _picture,
    newcomers: _newcomers,
    ...figures
  } = organizationFigures(reader, app.now());
  return {
    made_at: new Date(app.now()).toISOString(),
    hearth: { version: app.version, started_at: new Date(app.startedAt).toISOString() },
    system: {
      platform: process.platform,
      release: release(),
      arch: arch(),
      processors: cpus().length,
      memory_bytes: totalmem(),
      free_memory_bytes: freemem(),
      process_bytes: process.memoryUsage.rss(),
      node: process.version,
      electron: process.versions["electron"] ?? null,
    },
    storage: app.store.sizes,
    listening: app.stateFeed.listening,
    organization: {
      ...figures,
      // Texts may contain names, descriptions and addresses.
      settings: Object.fromEntries(
        Object.entries(organizationSettings(reader)).filter(([, value]) => typeof value !== "string"),
      ),
    },
    host_settings: operatorSettings(reader),
    set_by_environment: OPERATOR_SETTING_NAMES.filter(isSetByEnvironment),
  };
}
