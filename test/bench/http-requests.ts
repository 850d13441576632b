import { Agent, request as httpRequest } from "node:http";
import { crc32, deflateSync } from "node:zlib";

/** A request and the text its response must contain. */
export interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  contains?: string;
}

export interface Answer {
  /** 0 if there was no response. */
  status: number;
  body: string;
}

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

/** A push with this many commits, as GitHub sends it to a webhook of the API key. */
export function reportedPush(key: string, commits: number): Asked {
  const commit = {
    id: "c".repeat(40),
    message: "Say what has changed, and why. ".repeat(40),
    url: "https://example.com/commit",
    author: { name: "Somebody", username: "somebody" },
    added: ["one.ts", "two.ts"],
    modified: ["three.ts"],
    removed: [],
  };
  const push = {
    ref: "refs/heads/main",
    compare: "https://example.com/compare",
    commits: new Array(commits).fill(commit),
    pusher: { name: "somebody" },
    sender: { login: "somebody", html_url: "https://example.com/somebody" },
    repository: { full_name: "a/b", name: "b", html_url: "https://example.com/a/b" },
  };
  return {
    method: "POST",
    path: `/api/v1/external/github?api_key=${key}`,
    headers: { "content-type": "application/json", "x-github-event": "push" },
    body: JSON.stringify(push),
  };
}

/** Slack's blocks of many small marks, and the maximum number of attachments. */
export function reportedMarks(key: string): Asked[] {
  const text = { type: "mrkdwn", text: "*a* `b` <https://example.com|c> ".repeat(60) };
  const plain_text = { type: "plain_text", text: "a\n".repeat(10_000) };
  const bodies = [
    { blocks: new Array(2400).fill({ type: "section", text }) },
    { blocks: new Array(200).fill({ type: "section", text: plain_text }) },
    { attachments: new Array(24_000).fill({ text: "*a*" }) },
  ];
  return bodies.map((body) => ({
    method: "POST",
    path: `/api/v1/external/slack_incoming?api_key=${key}`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }));
}

/** The same with the maximum number of values, all with different names. */
export function reportedNames(key: string): Asked {
  const names = Object.fromEntries(Array.from({ length: 49_000 }, (_, number) => [`name ${number}`, 0]));
  return { ...reportedPush(key, 0), body: JSON.stringify(names) };
}

/** The same request with a file next to the fields. */
export function askedWithFile(
  account: { authorization?: string },
  path: string,
  file: { name: string; bytes: Uint8Array },
): Asked {
  const boundary = "----------------------------a-file";
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const { headers, ...rest } = asked(account, "POST", path);
  return { ...rest, headers: { ...headers, "content-type": `multipart/form-data; boundary=${boundary}` }, body };
}

/** Bits per sample and color type of a PNG. */
const GREY = { depth: 8, color: 0, samples: 1 };
export const DEEP_WITH_ALPHA = { depth: 16, color: 6, samples: 4 };

export function blackPicture(side: number, { depth, color, samples } = GREY): Uint8Array {
  const chunk = (type: string, data: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const size = Buffer.alloc(4);
  size.writeUInt32BE(side);
  const header = Buffer.from([...size, ...size, depth, color, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(Buffer.alloc(((side * samples * depth) / 8 + 1) * side));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

const usual = new Agent({ keepAlive: true });

/** Never rejects: a connection error is a response with status 0. */
export function ask(
  { method, path, headers, body }: Asked,
  port: number,
  { agent = usual, address }: { agent?: Agent; address?: string | undefined } = {},
): Promise<Answer> {
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, body: error.message });
    // Without the length, Node sends the body of a DELETE in an unreadable form.
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
