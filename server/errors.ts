/**
 * A mistake of the caller: a code for programs, a sentence for people, and data. Thrown where it is discovered, and
 * turned into a response in one place (`http/envelope.ts`).
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

/** The data folder contains no organization, not even a damaged one: a first run may make it. */
export class NoOrganization extends Error {
  override readonly name = "NoOrganization";
  constructor(folder: string) {
    super(`${folder}: there is no organization here. Make one with "hearth init", or name another folder.`);
  }
}

const MAX_QUOTED = 100;

/** Input, shortened for an error message. */
export const shortened = (text: string): string =>
  text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED).replace(/[\uD800-\uDBFF]$/, "")}…`;

/** A name from the input, quoted for an error message. */
export const quoted = (text: string): string => JSON.stringify(shortened(text));

export const badRequest = (message: string, data?: Record<string, unknown>) =>
  new ApiError("BAD_REQUEST", message, data);

/** `parameter`: what is wrong, so that a form can say it at its field. */
export const refusedParameter = (parameter: string, message: string) => badRequest(message, { var_name: parameter });

export const missingParameter = (name: string) =>
  new ApiError("REQUEST_VARIABLE_MISSING", `The parameter ${name} is missing.`, { var_name: name });

export const tooManyStored = (what: string, max: number) =>
  badRequest(`You can keep at most ${max} ${what}: delete some first.`);

/** `parameter`: what makes these things too large together. */
export const tooLongTogether = (parameter: string, what: string, max: number) =>
  refusedParameter(parameter, `${parameter}: your ${what} hold at most ${max} characters together. Delete some first.`);

/** Adds the name of the parameter to the ApiErrors of `check`, now or later, so that a form can show them at its field. */
export function aboutParameter<T>(name: string, check: () => T): T {
  const rethrow = (error: unknown): never => {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.code, error.message, { ...error.data, var_name: name }, { status: error.status });
  };
  try {
    const checked = check();
    return checked instanceof Promise ? (checked.catch(rethrow) as T) : checked;
  } catch (error) {
    return rethrow(error);
  }
}

/** Something does not exist, or the caller must not know about it: both get the same answer. */
export const notFound = (message: string) => new ApiError("BAD_REQUEST", message, {}, { status: 404 });

export const badEventQueue = (queueId: string) =>
  new ApiError("BAD_EVENT_QUEUE_ID", `Bad event queue ID: ${shortened(queueId)}`, { queue_id: shortened(queueId) });

export const unauthorizedPrincipal = (message: string) => new ApiError("UNAUTHORIZED_PRINCIPAL", message);

export const alreadySetUp = () =>
  new ApiError("ALREADY_SET_UP", "There is an organization here already.", {}, { status: 409 });
