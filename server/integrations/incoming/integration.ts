import { ApiError, badRequest } from "../../errors.ts";
import { type Payload, parsePayload } from "./payload.ts";

/** A request to an integration's address. */
export interface IncomingRequest {
  readonly method: string;
  /** The whole address as the sender called it: one of them signs it. */
  readonly url: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: ReadonlyMap<string, string>;
  /** The fields of the body, where it is a form. */
  readonly form: ReadonlyMap<string, string>;
  /** As it came: signatures are over these bytes. */
  readonly body: Buffer;
  /** Seconds since 1970. */
  readonly receivedAt: number;
}

/** A message that the bot is to send. */
export interface IntegrationMessage {
  /** What filters go by; absent where the integration has no event names. */
  readonly event?: string;
  readonly topic: string;
  readonly content: string;
}

/** What a request comes to: messages, nothing for a reason, or an event that is not understood. */
export type Reading = IntegrationMessage | readonly IntegrationMessage[] | Ignored | Unsupported;
export interface Ignored {
  readonly ignored: string;
}
export interface Unsupported {
  /** What was seen, in the sender's words. */
  readonly unsupported: string;
}

/** Something that whoever sets the integration up can add to its address. */
export interface Option {
  readonly key: string;
  readonly label: string;
  readonly validator: "check_string" | "check_bool";
}

export interface Integration {
  /** Its place in the address. */
  readonly name: string;
  readonly displayName: string;
  /** Of its logo: #rrggbb. */
  readonly color: string;
  /** Its part in the client's name and in errors: `Zulip<this>Webhook`. */
  readonly client: string;
  /** The names that filters can use; null where there is nothing to filter. */
  readonly events: readonly string[] | null;
  readonly options: readonly Option[];
  /** How to set it up at the sender's, in Markdown; `{address}` stands for the bot's address for this integration. */
  readonly setUp: string;
  /** Whether the sender also calls by GET. */
  readonly takesGet?: boolean;
  /** Whether the sender escapes an address once more that has escapes already. */
  readonly escapesTwice?: boolean;
  /** Added to the answer of a success; failures then carry `ok: false` and `error` (Slack's libraries read these). */
  readonly answer?: { readonly ok: true };
  /** Whether the sender's signature is right for this secret; undefined where there is none. */
  verify?(request: IncomingRequest, secret: string): boolean | undefined;
  /** Throws nothing but an ApiError, whatever is sent. */
  read(call: Call): Reading;
}

export const clientName = (integration: Integration): string => `Zulip${integration.client}Webhook`;

/** The result for a push to a branch that the URL does not name. */
export const OTHER_BRANCHES: Ignored = { ignored: "The address names other branches." };

export const branchesOption: Option = { key: "branches", label: "", validator: "check_string" };

/** A request as integrations read it. */
export class Call {
  readonly request: IncomingRequest;
  readonly integration: Integration;
  #payload: Payload | undefined;

  constructor(integration: Integration, request: IncomingRequest) {
    this.integration = integration;
    this.request = request;
  }

  /** From the body's fields or the address. */
  parameter(name: string): string | undefined {
    return this.request.form.get(name) ?? this.request.query.get(name);
  }

  /** An option that is true or false; undefined where it is not given. */
  flag(name: string): boolean | undefined {
    const given = this.parameter(name);
    if (given === undefined || given === "") return undefined;
    if (given !== "true" && given !== "false") throw badRequest(`${name} is neither true nor false.`);
    return given === "true";
  }

  /** The topic that the address names instead of the integration's. */
  get topic(): string | undefined {
    return this.parameter("topic");
  }

  header(name: string): string | undefined {
    return this.request.headers[name.toLowerCase()];
  }

  /** The header that names the event, by any of the names that it goes by. */
  eventHeader(first: string, ...others: string[]): string {
    for (const name of [first, ...others]) {
      const value = this.header(name);
      if (value) return value;
    }
    throw new ApiError("MISSING_HTTP_EVENT_HEADER", `The header ${first} is missing.`, { header: first });
  }

  /** The JSON of the body, or of the parameter `payload`. */
  get payload(): Payload {
    this.#payload ??= parsePayload(this.parameter("payload") ?? this.request.body);
    return this.#payload;
  }

  /** Whether pushes to a branch are to be reported: `branches=main, release`. */
  wantsBranch(branch: string): boolean {
    const wanted = this.parameter("branches");
    return wanted === undefined || wanted.trim() === "" || wanted.split(",").some((name) => name.trim() === branch);
  }

  /** That the payload is none of this sender's. */
  anomalous(why: string): ApiError {
    return new ApiError("ANOMALOUS_WEBHOOK_PAYLOAD", why, { webhook_name: this.integration.client });
  }
}
