import { type LoggerOptions, pino } from "pino";
import type { LogLevel } from "../../api/queries/operator-settings.ts";
import type { AnsweredRequest } from "../../http/options.ts";
import { type LogFileOptions, LogFiles, type LogPage } from "./log-files.ts";
import { redacted } from "./redaction.ts";

/** The most severe first. */
const RANKS: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };

export interface LogLine {
  /** Microseconds since the epoch, and unique. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly level: LogLevel;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Ids, routes and numbers. Never secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface LogSearch {
  /** The least severe level. */
  level: LogLevel;
  text?: string | undefined;
  before?: number | undefined;
  after?: number | undefined;
  limit: number;
}

/** Long polls. Their lines would hide all others, and each poll of the log would cause another line. */
const POLLED: ReadonlySet<string> = new Set(["GET /host/logs", "GET /host/state", "GET /events"]);

/** Longer messages and stacks are truncated. */
const MAX_TEXT = 8000;

/** The server's log, for the operator, without secrets. docs/architecture.md#the-servers-own-log. */
export class ServerLog {
  readonly files: LogFiles;
  /** The least severe level that is written. */
  level: () => LogLevel = () => "info";
  readonly #pino;
  /** Secrets that may be in the current line. */
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

  /** A bug of Hearth or a failure of the system. `secrets` of the request must not be in the line. */
  readonly error = (message: string, error: unknown, secrets: readonly string[] = []): void => {
    this.#write("error", message, { err: error }, secrets);
    // For operators who run the server in a terminal or as a service.
    const text = `${message}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    console.error(redacted(text, [...this.#secretsOfServer, ...secrets]));
  };

  /** Like `error`, without stderr: the supervisor reports why the server ended. */
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

  /** Logs refusals at level info, and other responses at level debug. */
  readonly answered = (status: number, describe: () => AnsweredRequest): void => {
    // A 500 already has a line with the error.
    const level = status === 401 || status === 403 || status > 500 ? "info" : "debug";
    if (RANKS[level] > RANKS[this.level()]) return;
    const { route, ...fields } = describe();
    if (level === "debug" && POLLED.has(route)) return;
    this.#write(level, `${status} ${route}`, { status, ...fields });
  };

  /** Newest first. */
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

/** Only these fields: errors of storage also contain personal data. */
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
