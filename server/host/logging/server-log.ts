import { type LoggerOptions, pino } from "pino";
import type { LogLevel } from "../../api/queries/operator-settings.ts";
import type { AnsweredRequest } from "../../http/options.ts";
import { type LogFileOptions, LogFiles, type LogPage } from "./log-files.ts";
import { redacted } from "./redaction.ts";

/** The most severe first. */
const RANKS: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };

/** One line of the log; what belongs to it besides is in further fields. */
export interface LogLine {
  /** Microseconds since the epoch, and unique: what is asked for from there on or before. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly level: LogLevel;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Values, never secrets: ids, names of routes, figures. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface LogSearch {
  /** This level and the more severe ones. */
  level: LogLevel;
  text?: string | undefined;
  before?: number | undefined;
  after?: number | undefined;
  limit: number;
}

/** Asked again as soon as they are answered: their lines would hide all others, and those of the log follow itself. */
const POLLED: ReadonlySet<string> = new Set(["GET /host/logs", "GET /host/state", "GET /events"]);

/** Of a message or a stack: more of it is cut off. */
const MAX_TEXT = 8000;

/**
 * The server's own log, for whoever runs it: what happened, in lines of JSON. Each line is cleaned of what looks like a
 * secret before it is written. docs/architecture.md#the-servers-own-log.
 */
export class ServerLog {
  readonly files: LogFiles;
  /** Which lines are written: these and the more severe ones. */
  level: () => LogLevel = () => "info";
  readonly #pino;
  /** Those of the line that is being written. */
  #secrets: readonly string[] = [];
  readonly #secretsOfServer: readonly string[];

  constructor(dataFolder: string, { secrets = [], ...options }: LogFileOptions & { secrets?: readonly string[] } = {}) {
    const files = new LogFiles(dataFolder, options);
    const { now = Date.now } = options;
    this.files = files;
    this.#secretsOfServer = secrets;
    const settings: LoggerOptions = {
      level: "debug",
      base: null,
      timestamp: () => `,"time":${Math.floor(now())}`,
      mixin: () => ({ id: files.nextId() }),
      formatters: { level: (level) => ({ level }) },
      serializers: { err: errorFields },
    };
    const write = (line: string) => files.write(redacted(line, [...this.#secretsOfServer, ...this.#secrets]));
    this.#pino = pino(settings, { write });
  }

  /** What is our bug, or broke around us. `secrets`: what of the request must not be in the line. */
  readonly error = (message: string, error: unknown, secrets: readonly string[] = []): void => {
    this.#write("error", message, { err: error }, secrets);
    // Whoever runs the server in a terminal or as a service reads it there.
    const text = `${message}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    console.error(redacted(text, [...this.#secretsOfServer, ...secrets]));
  };

  /** As `error`, for what ends the server: whoever started it is told by other means. */
  fatal(message: string, error: unknown): void {
    this.#write("error", message, { err: error });
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#write("warn", message, fields);
  }

  info(message: string, fields: LogFields = {}): void {
    this.#write("info", message, fields);
  }

  debug(message: string, fields: LogFields = {}): void {
    this.#write("debug", message, fields);
  }

  #write(level: LogLevel, message: string, fields: object, secrets: readonly string[] = []): void {
    if (RANKS[level] > RANKS[this.level()]) return;
    this.#secrets = secrets;
    this.#pino[level](fields, message.slice(0, MAX_TEXT));
    this.#secrets = [];
  }

  /** An answer that went out. Those that refuse somebody are worth a line; others only when looked at closely. */
  readonly answered = (status: number, describe: () => AnsweredRequest): void => {
    // A 500 has a line of its own, with the error.
    const level = status === 401 || status === 403 || status > 500 ? "info" : "debug";
    if (RANKS[level] > RANKS[this.level()]) return;
    const { route, ...fields } = describe();
    if (level === "debug" && POLLED.has(route)) return;
    this.#write(level, `${status} ${route}`, { status, ...fields });
  };

  /** @returns lines newest first, with `next` to go on at. */
  async read({ level, text = "", ...range }: LogSearch): Promise<LogPage & { readonly lines: readonly LogLine[] }> {
    const needle = JSON.stringify(text.trim().toLowerCase()).slice(1, -1);
    const matches = (line: Record<string, unknown>) => (RANKS[line["level"] as LogLevel] ?? 3) <= RANKS[level];
    return (await this.files.read({ ...range, matches, text: needle })) as LogPage & { lines: LogLine[] };
  }

  close(): Promise<void> {
    return this.files.close();
  }
}

interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

/** What helps, and not whatever else an error carries: those of storage hold values of people. */
function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error).slice(0, MAX_TEXT) };
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    message: error.message.slice(0, MAX_TEXT),
    ...(typeof code === "string" && { code }),
    ...(error.stack !== undefined && { stack: error.stack.slice(0, MAX_TEXT) }),
    ...(error.cause !== undefined && depth < 3 && { cause: errorFields(error.cause, depth + 1) }),
  };
}
