/**
 * What a caller did wrong: a code for programs, a sentence for people, data beside them.
 * Thrown where it is discovered, turned into a response in one place (`http/envelope.ts`).
 * Codes and statuses: docs/protocol.md#errors.
 */
export class ApiError extends Error {
  readonly code: string;
  /** Fields sent beside `result`, `msg` and `code`. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: string,
    message: string,
    data: Record<string, unknown> = {},
    { status = 400, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.data = data;
    this.status = status;
    this.headers = headers;
  }
}

/** The data folder holds no organization, and nothing that could be one: a first run may make it. */
export class NoOrganization extends Error {
  override readonly name = "NoOrganization";
  constructor(folder: string) {
    super(`${folder}: there is no organization here. Make one with "hearth init", or name another folder.`);
  }
}

const MAX_QUOTED = 100;

/** What was sent, as much of it as an error gives back. */
export const shortened = (text: string): string =>
  text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED).replace(/[\uD800-\uDBFF]$/, "")}…`;

/** A name that was sent, as an error quotes it. */
export const quoted = (text: string): string => JSON.stringify(shortened(text));

export const badRequest = (message: string, data?: Record<string, unknown>) =>
  new ApiError("BAD_REQUEST", message, data);

export const missingParameter = (name: string) =>
  new ApiError("REQUEST_VARIABLE_MISSING", `The parameter ${name} is missing.`, { var_name: name });

export const tooManyStored = (what: string, most: number) =>
  badRequest(`You can keep at most ${most} ${what}: delete some first.`);

/** Has a refusal name the parameter, so that a form can show it where it was typed. */
export function aboutParameter<T>(name: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.code, error.message, { ...error.data, var_name: name }, { status: error.status });
  }
}

/** A thing that does not exist, or that the caller may not know of: both look alike. */
export const notFound = (message: string) => new ApiError("BAD_REQUEST", message, {}, { status: 404 });

export const badEventQueue = (queueId: string) =>
  new ApiError("BAD_EVENT_QUEUE_ID", `Bad event queue ID: ${shortened(queueId)}`, { queue_id: shortened(queueId) });

export const unauthorizedPrincipal = (message: string) => new ApiError("UNAUTHORIZED_PRINCIPAL", message);

export const alreadySetUp = () =>
  new ApiError("ALREADY_SET_UP", "There is an organization here already.", {}, { status: 409 });
