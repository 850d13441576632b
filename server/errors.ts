import { errorTexts } from "./locales/en/errors.ts";

export type Reason = keyof typeof errorTexts;

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type NamesOf<R extends Reason> = Names<(typeof errorTexts)[R]>;

/** A value in a text. A problem is a cause, and becomes its text. */
type Param = string | number | Problem;

/** The values of a reason's text, by the names in its braces. */
export type ParamsOf<R extends Reason> = { readonly [Name in NamesOf<R>]: Param };

/** The arguments after a reason: its params, if its text has any. */
export type ParamsFor<R extends Reason> = [NamesOf<R>] extends [never] ? [params?: object] : [params: ParamsOf<R>];

/** Why something failed, so that pages can say it in the user's language. */
export interface Problem {
  readonly reason: Reason;
  readonly params: Readonly<Record<string, Param>>;
}

export const problem = <R extends Reason>(reason: R, ...[params]: ParamsFor<R>): Problem => ({
  reason,
  params: { ...params },
});

/** The English text. */
export const problemText = ({ reason, params }: Problem): string =>
  errorTexts[reason].replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = params[name] ?? placeholder;
    return typeof value === "object" ? problemText(value) : String(value);
  });

/** A problem with its English text, for pages. */
export interface ReportedProblem extends Problem {
  readonly msg: string;
}
export const reported = (problem: Problem): ReportedProblem => ({ msg: problemText(problem), ...problem });

/** The problem of an error. Errors without a reason keep their own words. */
export const problemOf = (error: unknown): Problem =>
  error instanceof Failure
    ? error.problem
    : problem("unknown", { cause: error instanceof Error ? error.message : String(error) });

/** A problem in a column of the database. */
export const storedProblem = (problem: Problem | null): string | null => problem && JSON.stringify(problem);
export const readProblem = (stored: string | null): Problem | null => (stored === null ? null : JSON.parse(stored));

/** An error with a reason. */
export class Failure extends Error {
  readonly problem: Problem;
  constructor(problem: Problem, options?: ErrorOptions) {
    super(problemText(problem), options);
    this.problem = problem;
  }
}

/**
 * A mistake of the caller: a code for programs, a reason, and data. `http/envelope.ts` turns it into a response. Codes
 * and statuses: docs/protocol.md#errors.
 */
export class ApiError extends Failure {
  override readonly name = "ApiError";
  readonly code: string;
  /** Further fields of the response. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: string,
    problem: Problem,
    data: Record<string, unknown> = {},
    { status = 400, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
  ) {
    super(problem);
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

/** The second argument of a zod refinement: `z.string().refine(isTimeZone, because("not_time_zone"))`. */
export const because = (reason: Reason, params: Problem["params"] = {}) => ({ params: { reason, params } });

const MAX_QUOTED = 100;

export const shortened = (text: string): string =>
  text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED).replace(/[\uD800-\uDBFF]$/, "")}…`;

/** `rest`: the reason's params, and further fields of the response. */
export const badRequest = <R extends Reason>(reason: R, ...rest: [...ParamsFor<R>, data?: Record<string, unknown>]) => {
  const [params, data] = rest as unknown as [Problem["params"]?, Record<string, unknown>?];
  return new ApiError("BAD_REQUEST", { reason, params: { ...params } }, data);
};

/** `parameter` lets a form show the message at its field. */
export const refusedParameter = <R extends Reason>(parameter: string, reason: R, ...[params]: ParamsAbout<R>) =>
  new ApiError("BAD_REQUEST", { reason, params: { parameter, ...params } }, { var_name: parameter });

/** The params except `parameter`. */
type ParamsAbout<R extends Reason> = [Exclude<NamesOf<R>, "parameter">] extends [never]
  ? []
  : [params: Omit<ParamsOf<R>, "parameter">];

export const missingParameter = (parameter: string) =>
  new ApiError("REQUEST_VARIABLE_MISSING", problem("parameter_missing", { parameter }), { var_name: parameter });

/** Adds `var_name` to the ApiErrors of `check`, so that a form can show the message at its field. */
export function aboutParameter<T>(name: string, check: () => T): T {
  const rethrow = (error: unknown): never => {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.code, error.problem, { ...error.data, var_name: name }, { status: error.status });
  };
  try {
    const checked = check();
    return checked instanceof Promise ? (checked.catch(rethrow) as T) : checked;
  } catch (error) {
    return rethrow(error);
  }
}

/** Also for things that the caller must not know about, so that both responses are equal. */
export const notFound = <R extends Reason>(reason: R, ...[params]: ParamsFor<R>) =>
  new ApiError("BAD_REQUEST", { reason, params: { ...params } }, {}, { status: 404 });

export const badEventQueue = (queueId: string) => {
  const queue_id = shortened(queueId);
  return new ApiError("BAD_EVENT_QUEUE_ID", problem("bad_event_queue_id", { id: queue_id }), { queue_id });
};

export const unauthorizedPrincipal = <R extends Reason>(reason: R, ...[params]: ParamsFor<R>) =>
  new ApiError("UNAUTHORIZED_PRINCIPAL", { reason, params: { ...params } });

export const alreadySetUp = () => new ApiError("ALREADY_SET_UP", problem("organization_exists"), {}, { status: 409 });
