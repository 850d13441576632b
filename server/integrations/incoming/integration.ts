import { ApiError, badRequest, problem } from "../../errors.ts";
import { type Payload, parsePayload } from "./payload.ts";

/** A request to the URL of an integration. */
export interface IncomingRequest {
  readonly method: string;
  /** The full URL as the sender called it: Trello signs it. */
  readonly url: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: ReadonlyMap<string, string>;
  /** The fields of a form body. */
  readonly form: ReadonlyMap<string, string>;
  /** The original bytes, which signatures cover. */
  readonly body: Buffer;
  /** Seconds since 1970. */
  readonly receivedAt: number;
}

/** A message for the bot to send. */
export interface IntegrationMessage {
  /** The event name for filters. Absent if the integration has no event names. */
  readonly event?: string;
  readonly topic: string;
  readonly content: string;
}

/** The result of reading a request. */
export type Reading = IntegrationMessage | readonly IntegrationMessage[] | Ignored | Unsupported;
export interface Ignored {
  readonly ignored: string;
}
export interface Unsupported {
  /** The unknown event, as the sender names it. */
  readonly unsupported: string;
}

/** An optional parameter of the URL. */
export interface Option {
  readonly key: string;
  readonly label: string;
  readonly validator: "check_string" | "check_bool";
}

export interface Integration {
  /** Its name in the URL. */
  readonly name: string;
  readonly displayName: string;
  /** The color of the logo: #rrggbb. */
  readonly color: string;
  /** Part of the client name, and of errors: `Zulip<this>Webhook`. */
  readonly client: string;
  /** The event names for filters; null if there are none. */
  readonly events: readonly string[] | null;
  readonly options: readonly Option[];
  /** Setup instructions in Markdown. `{address}` is replaced by the bot's URL for this integration. */
  readonly setUp: string;
  /** Whether the sender may use GET. */
  readonly takesGet?: boolean;
  /** Whether the sender percent-encodes an encoded URL again. */
  readonly escapesTwice?: boolean;
  /** Added to successful responses. Failures then have `ok: false` and `error`, which Slack's libraries read. */
  readonly answer?: { readonly ok: true };
  /** Whether the signature is valid for this secret; undefined if the request has none. */
  verify?(request: IncomingRequest, secret: string): boolean | undefined;
  /** Throws only ApiError, for any payload. */
  read(call: Call): Reading;
}

export const clientName = (integration: Integration): string => `Zulip${integration.client}Webhook`;

/** The result for a push to a branch that the URL does not name. */
export const OTHER_BRANCHES: Ignored = { ignored: "The address names other branches." };

export const branchesOption: Option = { key: "branches", label: "", validator: "check_string" };

export class Call {
  readonly request: IncomingRequest;
  readonly integration: Integration;
  #payload: Payload | undefined;

  constructor(integration: Integration, request: IncomingRequest) {
    this.integration = integration;
    this.request = request;
  }

  /** From the form or the URL. */
  parameter(name: string): string | undefined {
    return this.request.form.get(name) ?? this.request.query.get(name);
  }

  /** A boolean option; undefined if it is absent. */
  flag(name: string): boolean | undefined {
    const given = this.parameter(name);
    if (given === undefined || given === "") return undefined;
    if (given !== "true" && given !== "false") throw badRequest("not_boolean", { parameter: name });
    return given === "true";
  }

  /** The topic that the URL sets instead of the integration's own. */
  get topic(): string | undefined {
    return this.parameter("topic");
  }

  header(name: string): string | undefined {
    return this.request.headers[name.toLowerCase()];
  }

  /** The header that names the event. Some services have several names for it. */
  eventHeader(first: string, ...others: string[]): string {
    for (const name of [first, ...others]) {
      const value = this.header(name);
      if (value) return value;
    }
    throw new ApiError("MISSING_HTTP_EVENT_HEADER", problem("header_missing", { header: first }), { header: first });
  }

  /** The JSON of the body, or of the parameter `payload`. */
  get payload(): Payload {
    this.#payload ??= parsePayload(this.parameter("payload") ?? this.request.body);
    return this.#payload;
  }

  /** Whether pushes to a branch are reported. The parameter has the form `branches=main, release`. */
  wantsBranch(branch: string): boolean {
    const wanted = this.parameter("branches");
    return wanted === undefined || wanted.trim() === "" || wanted.split(",").some((name) => name.trim() === branch);
  }

  /** The error for a payload that does not come from this service. */
  anomalous(why: string): ApiError {
    return new ApiError("ANOMALOUS_WEBHOOK_PAYLOAD", problem("event_ignored", { cause: why }), {
      webhook_name: this.integration.client,
    });
  }
}
