import type { Endpoints } from "../../server/api/endpoints/index.ts";
import type { InputOf, ResponseOf, RouteOf } from "../../server/http/endpoint.ts";
import { isProblem, type ReportedProblem } from "../locales/error-texts.ts";

type ByRoute = { [Name in keyof Endpoints as RouteOf<Endpoints[Name]>]: Endpoints[Name] };
/** `POST /messages`: every declared endpoint. */
export type Route = keyof ByRoute;
export type Input<R extends Route> = InputOf<ByRoute[R]>;
export type Answer<R extends Route> = ResponseOf<ByRoute[R]>;

/** An error response: its code, its message and its other fields. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly problem: ReportedProblem;

  constructor(status: number, { msg, code, result: _, reason, params, ...data }: Record<string, unknown>) {
    super(String(msg));
    this.name = "Refusal";
    this.status = status;
    this.code = typeof code === "string" ? code : undefined;
    this.data = data;
    const problem = { reason, params, msg: this.message };
    // Something else may have responded, for example a proxy.
    this.problem = isProblem(problem) ? problem : { ...problem, reason: "unknown", params: { cause: problem.msg } };
  }
}

/** Whether the server has switched to HTTPS since the page loaded. A reload leads there. */
export const isHttpsNeeded = (error: unknown): boolean => error instanceof Refusal && error.code === "HTTPS_NEEDED";

export interface Client {
  /** Calls an endpoint; path parameters are part of `input`. @throws Refusal, or an error of fetch. */
  call<R extends Route>(route: R, input: Input<R>, signal?: AbortSignal): Promise<Answer<R>>;
  upload<R extends Route>(route: R, input: Input<R>, file: File): Promise<Answer<R>>;
}

export interface ClientOptions {
  /** Default: the page's origin. */
  baseUrl?: string;
  /** The desktop app adds its own credential. */
  credentials?: { email: string; apiKey: string };
  fetch?: typeof fetch;
}

export function createClient({ baseUrl = "", credentials, fetch: send = fetch }: ClientOptions = {}): Client {
  const headers: Record<string, string> = {
    "hearth-error-reason": "1",
    ...(credentials && { authorization: `Basic ${btoa(`${credentials.email}:${credentials.apiKey}`)}` }),
  };
  async function ask<R extends Route>(route: R, input: Input<R>, { file, signal }: Extra): Promise<Answer<R>> {
    const [method, template] = (route as string).split(" ") as [string, string];
    const fields = new URLSearchParams();
    let path = template.startsWith("/host/") ? template : `/api/v1${template}`;
    for (const [name, value] of Object.entries(input as Record<string, unknown>)) {
      if (value === undefined) continue;
      const text = typeof value === "string" ? value : JSON.stringify(value);
      if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(text));
      else fields.set(name, text);
    }
    const inQuery = method === "GET" && fields.size > 0;
    const response = await send(`${baseUrl}${path}${inQuery ? `?${fields}` : ""}`, {
      method,
      headers,
      ...(method !== "GET" && { body: file ? multipart(fields, file) : fields }),
      ...(signal && { signal }),
    });
    const body = (await response.json()) as Record<string, unknown>;
    if (body["result"] !== "success") throw new Refusal(response.status, body);
    return body as Answer<R>;
  }

  return {
    call: (route, input, signal) => ask(route, input, { signal }),
    upload: (route, input, file) => ask(route, input, { file }),
  };
}

interface Extra {
  file?: File;
  signal?: AbortSignal | undefined;
}

function multipart(fields: URLSearchParams, file: File): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.set(name, value);
  form.set("file", file, file.name);
  return form;
}
