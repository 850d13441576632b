/**
 * A mistake of the caller: a code for programs, a sentence for people, and data. `http/envelope.ts` turns it into a
 * response. Codes and statuses: docs/protocol.md#errors.
 */
export class ApiError extends Error {
  readonly code: string;
  /** Further fields of the response. */
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

/** The data folder contains no data, not even damaged data, so first run can create an organization. */
export class NoOrganization extends Error {
  override readonly name = "NoOrganization";
  constructor(folder: string) {
    super(`${folder}: there is no organization here. Make one with "hearth init", or name another folder.`);
  }
}

const MAX_QUOTED = 100;

export const shortened = (text: string): string =>
  text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED).replace(/[\uD800-\uDBFF]$/, "")}…`;

export const quoted = (text: string): string => JSON.stringify(shortened(text));

export const badRequest = (message: string, data?: Record<string, unknown>) =>
  new ApiError("BAD_REQUEST", message, data);

/** `parameter` lets a form show the message at its field. */
export const refusedParameter = (parameter: string, message: string) => badRequest(message, { var_name: parameter });

export const missingParameter = (name: string) =>
  new ApiError("REQUEST_VARIABLE_MISSING", `The parameter ${name} is missing.`, { var_name: name });

export const tooManyStored = (what: string, max: number) =>
  badRequest(`You can keep at most ${max} ${what}: delete some first.`);

/** `parameter` exceeds the total limit. */
export const tooLongTogether = (parameter: string, what: string, max: number) =>
  refusedParameter(parameter, `${parameter}: your ${what} hold at most ${max} characters together. Delete some first.`);

/** Adds `var_name` to the ApiErrors of `check`, so that a form can show the message at its field. */
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

/** Also for things that the caller must not know about, so that both responses are equal. */
export const notFound = (message: string) => new ApiError("BAD_REQUEST", message, {}, { status: 404 });

export const badEventQueue = (queueId: string) =>
  new ApiError("BAD_EVENT_QUEUE_ID", `Bad event queue ID: ${shortened(queueId)}`, { queue_id: shortened(queueId) });

export const unauthorizedPrincipal = (message: string) => new ApiError("UNAUTHORIZED_PRINCIPAL", message);

export const alreadySetUp = () =>
  new ApiError("ALREADY_SET_UP", "There is an organization here already.", {}, { status: 409 });
