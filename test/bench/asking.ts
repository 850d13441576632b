import { Agent, request as httpRequest } from "node:http";

/** A request, and what its answer must contain. */
export interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  contains?: string;
}

export interface Answer {
  /** 0: none came. */
  status: number;
  body: string;
}

/** A call of the API, or of a generated picture, with fields in the query or the body as the method has it. */
export function asked(
  { authorization }: { authorization?: string },
  method: string,
  path: string,
  fields: Record<string, unknown> = {},
): Asked {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    form.set(name, typeof value === "string" ? value : JSON.stringify(value));
  const inPath = method === "GET" && form.size > 0;
  return {
    method,
    path: `${/^\/(?:generated|host)\//.test(path) ? "" : "/api/v1"}${path}${inPath ? `?${form}` : ""}`,
    headers: {
      ...(authorization && { authorization }),
      ...(method !== "GET" && { "content-type": "application/x-www-form-urlencoded" }),
    },
    ...(method !== "GET" && { body: String(form) }),
  };
}

const usual = new Agent({ keepAlive: true });

/** Never fails: an error of the connection is an answer with status 0. */
export function ask(
  { method, path, headers, body }: Asked,
  port: number,
  { agent = usual, address }: { agent?: Agent; address?: string | undefined } = {},
): Promise<Answer> {
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, body: error.message });
    // Without its length, Node sends the body of a DELETE in no way that can be read.
    const sent = body === undefined ? headers : { ...headers, "content-length": String(Buffer.byteLength(body)) };
    const request = httpRequest(
      { port, host: "127.0.0.1", method, path, headers: sent, agent, ...(address && { localAddress: address }) },
      (response) => {
        const pieces: Buffer[] = [];
        response
          .on("data", (piece: Buffer) => pieces.push(piece))
          .on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString() }))
          .on("error", failed);
      },
    );
    request.on("error", failed).end(body);
  });
}
