import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { z } from "zod";
import { badRequest } from "../../server/errors.ts";
import { endpointFor } from "../../server/http/endpoint.ts";
import { FileAnswer, partOf, Redirect } from "../../server/http/file-answers.ts";
import { receiveMultipart } from "../../server/http/multipart.ts";
import type { HttpOptions } from "../../server/http/options.ts";
import { text } from "../../server/http/params.ts";
import { createHttp } from "../../server/http/server.ts";
import { type StoredFile, StoredFiles } from "../../server/media/files/stored-files.ts";
import { until } from "../support/patience.ts";

interface User {
  id: number;
  email: string;
  role: number;
  is_bot: boolean;
}
interface App {
  files: StoredFiles;
  stored: StoredFile[];
}
const endpoint = endpointFor<App, User>();
const MAX_BYTES = 3 << 20;

const endpoints = [
  endpoint({
    route: "POST /files",
    summary: "Keep a file.",
    who: "member",
    takesFiles: {
      limit: () => ({ bytes: MAX_BYTES, refusal: () => badRequest("unknown", { cause: "The file is too large." }) }),
    },
    params: { note: text().optional() },
    response: z.looseObject({}),
    handle: async ({ app, files, params }) => {
      const [file] = files;
      if (!file) throw badRequest("unknown", { cause: "There is no file." });
      if (params.note === "refused") throw badRequest("unknown", { cause: "Refused." });
      const { field, filename, claimedType, content } = file;
      app.stored.push(await app.files.store([{ kind: "attachments", content }], ([stored]) => stored as StoredFile));
      return { field, filename, claimedType, size: content.size, note: params.note };
    },
  }),
  endpoint({ route: "DELETE /files", summary: "For overrides.", who: "member", handle: () => ({}) }),
  endpoint({
    route: "GET /files/newest",
    summary: "The newest.",
    who: "member",
    sendsFile: true,
    handle: ({ app }) => {
      const file = app.stored.at(-1);
      if (!file) return new Redirect("/elsewhere");
      return new FileAnswer({
        size: file.size,
        etag: file.name,
        headers: { "content-type": "text/plain" },
        read: (from, to) => app.files.read(file, from, to),
      });
    },
  }),
];

const authorization = `Basic ${Buffer.from("member@example.com:key").toString("base64")}`;

async function start(t: TestContext, options: Partial<HttpOptions<App, User>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "hearth-http-files-"));
  const files = new StoredFiles(folder, () => undefined);
  const app: App = { files, stored: [] };
  const errors: unknown[] = [];
  const http = createHttp<App, User>({
    endpoints,
    store: {
      reader: {} as never,
      seq: 0,
      durable: () => undefined,
      untilRoom: () => undefined,
      transact: () => {
        throw new Error("No test here writes.");
      },
    },
    app,
    identify: (email, key) => {
      if (key !== "key") throw badRequest("unknown", { cause: "Wrong key." });
      return { id: 1, email, role: email.startsWith("guest") ? 600 : 400, is_bot: false };
    },
    logger: { error: (_message, error) => void errors.push(error) },
    files,
    ...options,
  });
  const { port } = await http.listen({ host: "127.0.0.1", port: 0 });
  t.after(async () => {
    await http.close();
    rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(errors, []);
  });
  const url = `http://127.0.0.1:${port}/api/v1/files`;
  const post = async (body: BodyInit, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { method: "POST", body, headers: { authorization, ...headers } });
    return { ...((await response.json()) as object), status: response.status } as Record<string, any> & {
      status: number;
    };
  };
  const inUploads = () =>
    readdirSync(join(folder, "uploads"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return { app, url, port, post, inUploads };
}

function form(files: [field: string, bytes: BlobPart, name: string][], fields: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  for (const [field, bytes, name] of files) body.append(field, new Blob([bytes], { type: "text/html" }), name);
  return body;
}

test("a file arrives with its name, claimed type and fields", async (t) => {
  const { app, post, url } = await start(t);
  const bytes = randomBytes(700_000);
  const answer = await post(form([["any", bytes, "Résumé – 履歴書.html"]], { note: "hello", more: "x" }));
  assert.equal(answer.status, 200, answer["msg"]);
  assert.deepEqual(
    [answer["field"], answer["filename"], answer["claimedType"], answer["size"], answer["note"]],
    ["any", "Résumé – 履歴書.html", "text/html", 700_000, "hello"],
  );
  assert.deepEqual(answer["ignored_parameters_unsupported"], ["more"]);
  const read = await fetch(`${url}/newest`, { headers: { authorization } });
  assert.deepEqual(Buffer.from(await read.arrayBuffer()), bytes);
  assert.equal(read.headers.get("x-content-type-options"), "nosniff");
  assert.equal(app.stored.length, 1);
});

test("a refused file leaves nothing behind", async (t) => {
  const { post, inUploads, url } = await start(t);
  const small: [string, string, string] = ["file", "content", "a.txt"];
  const refused = async (answer: Promise<Record<string, any>>, status: number, msg: RegExp) => {
    const { status: got, msg: said } = await answer;
    assert.equal(got, status, said);
    assert.match(said ?? "", msg);
    await until(() => inUploads().length === 0 || undefined, "what was received to go");
  };
  await refused(post(form([small], { note: "refused" })), 400, /Refused/);
  await refused(post(form([["file", randomBytes(MAX_BYTES + 1), "b"]])), 400, /too large/);
  await refused(post(form([small, small])), 400, /Too many files/);
  await refused(post(form([])), 400, /no file/);
  await refused(post(form([], { note: "x".repeat(2_200_000) })), 413, /too large/);
  await refused(post(form([small]), { authorization: "Basic x" }), 401, /malformed/);
  const guest = `Basic ${Buffer.from("guest@example.com:key").toString("base64")}`;
  await refused(post(form([small]), { authorization: guest }), 400, /Guests/);
  const type = { "content-type": "multipart/form-data; boundary=b" };
  const part = '--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\n';
  await refused(post(`${part}no end`, type), 400, /malformed/);
  await refused(post(`${part}x\r\n--b--`, { "content-type": "multipart/form-data" }), 400, /malformed/);
  await refused(post(`${part}x\r\n--b--`, { ...type, "content-encoding": "gzip" }), 415, /Compressed/);
  const put = await fetch(url, { method: "DELETE", headers: { authorization }, body: form([small]) });
  assert.equal(put.status, 400);
});

test("a POST with a file ignores method overrides", async (t) => {
  const { app, post } = await start(t);
  assert.equal((await post(form([["f", "content", "a"]], { method: "DELETE" }))).status, 200);
  assert.equal(app.stored.length, 1);
  const { status, result } = await post(new URLSearchParams({ method: "DELETE" }));
  assert.deepEqual([status, result], [200, "success"]);
});

test("a slow disk holds back the sender", async () => {
  const head = '--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\n';
  let sent = 0;
  const chunk = Buffer.alloc(1 << 16, "x");
  async function* body() {
    yield Buffer.from(head);
    for (; sent < 100; sent += 1) yield chunk;
    yield Buffer.from("\r\n--b--");
  }
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const request = Object.assign(Readable.from(body(), { objectMode: false }), {
    headers,
  }) as unknown as IncomingMessage;
  let size = 0;
  const [slow, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const append = (bytes: Uint8Array) => {
    size += bytes.length;
    reached.resolve();
    return slow.promise;
  };
  const content = { path: "", size: 0, sha256: "", head: Buffer.alloc(0), isUtf8: true };
  const receiving = receiveMultipart(request, {
    receiver: {
      begin: () => ({ append, finish: async () => content, abandon: async () => {} }),
      discard: async () => {},
    },
    maxFiles: 1,
    limit: { bytes: 100 << 20, refusal: () => badRequest("unknown", { cause: "too large" }) },
    fieldBytes: 1000,
  });
  await reached.promise;
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  assert.ok(sent < 10, `${sent} chunks are in memory`);
  assert.ok(size <= 1 << 16);
  slow.resolve();
  const { files } = await receiving;
  assert.deepEqual(files, [{ field: "f", filename: "f", claimedType: "text/plain", content }]);
  assert.equal(size, 100 << 16);
});

test("a disconnected client leaves nothing behind", async (t) => {
  const { port, inUploads } = await start(t);
  const socket = connect(port, "127.0.0.1");
  const head = `POST /api/v1/files HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n`;
  const body = `--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\n${"x".repeat(200_000)}`;
  t.after(() => socket.destroy());
  socket.write(`${head}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 3000000\r\n\r\n${body}`);
  socket.write("y".repeat(1_500_000));
  await until(() => inUploads().length === 1 || undefined, "the file to be begun");
  socket.destroy();
  await until(() => inUploads().length === 0 || undefined, "the file to go");
});

test("responds immediately to Expect: 100-continue", async (t) => {
  const { port, app } = await start(t);
  const ask = async (headers: string) => {
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    t.after(() => socket.destroy());
    socket.write(
      `POST /api/v1/files HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Type: multipart/form-data; boundary=b\r\n${headers}\r\n\r\n`,
    );
    const [answer] = (await once(socket, "data")) as [string];
    return { socket, answer };
  };
  const credentials = `Authorization: ${authorization}`;
  const large = await ask(`${credentials}\r\nContent-Length: 90000000`);
  assert.match(large.answer, /^HTTP\/1.1 400[\s\S]*connection: close[\s\S]*too large/i);
  assert.match((await ask("Content-Length: 90")).answer, /^HTTP\/1.1 401[\s\S]*connection: close/i);
  const body = '--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\nwhole\r\n--b--\r\n';
  const { socket, answer } = await ask(`${credentials}\r\nContent-Length: ${body.length}`);
  assert.match(answer, /^HTTP\/1.1 100 /);
  socket.write(body);
  const [final] = (await once(socket, "data")) as [string];
  assert.match(final, /^HTTP\/1.1 200[\s\S]*connection: keep-alive/i);
  assert.equal(app.stored.length, 1);
});

test("a body with files has no time limit while data arrives", async (t) => {
  const { port } = await start(t, { connections: { body: 300, check: 20, readingRate: 1000 } });
  const begin = (type: string) => {
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    t.after(() => socket.destroy());
    socket.write(
      `POST /api/v1/files HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: ${type}\r\nContent-Length: 1000000\r\n\r\n`,
    );
    return socket;
  };
  const upload = begin("multipart/form-data; boundary=b");
  upload.write(`--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\n${"x".repeat(100_000)}`);
  let early = "";
  upload.on("data", (text: string) => {
    early += text;
  });
  for (const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=b"]) {
    const [answer] = (await once(begin(type), "data")) as [string];
    assert.match(answer, /^HTTP\/1.1 408/, type);
  }
  assert.equal(early, "", "what has come counts for 100 seconds");
});

test("handles ranges, conditions and HEAD", async (t) => {
  const { url, post } = await start(t);
  const redirected = await fetch(`${url}/newest`, { headers: { authorization }, redirect: "manual" });
  assert.deepEqual([redirected.status, redirected.headers.get("location")], [302, "/elsewhere"]);
  await post(form([["f", "0123456789", "a"]]));
  const get = async (headers: Record<string, string>, method = "GET") => {
    const response = await fetch(`${url}/newest`, { method, headers: { authorization, ...headers } });
    const { status, headers: got } = response;
    return [status, await response.text(), got.get("content-range"), got.get("content-length")];
  };
  const etag = (await fetch(`${url}/newest`, { headers: { authorization } })).headers.get("etag") as string;
  assert.deepEqual(await get({}), [200, "0123456789", null, "10"]);
  assert.deepEqual(await get({}, "HEAD"), [200, "", null, "10"]);
  assert.deepEqual(await get({ range: "bytes=2-4" }), [206, "234", "bytes 2-4/10", "3"]);
  assert.deepEqual(await get({ range: "bytes=8-99" }), [206, "89", "bytes 8-9/10", "2"]);
  assert.deepEqual(await get({ range: "bytes=-3" }, "HEAD"), [206, "", "bytes 7-9/10", "3"]);
  assert.deepEqual(await get({ range: "bytes=10-" }), [416, "", "bytes */10", "0"]);
  assert.deepEqual(await get({ range: "bytes=2-4", "if-range": etag }), [206, "234", "bytes 2-4/10", "3"]);
  assert.deepEqual(await get({ range: "bytes=2-4", "if-range": '"other"' }), [200, "0123456789", null, "10"]);
  assert.deepEqual((await get({ "if-none-match": etag })).slice(0, 2), [304, ""]);
});

test("no header requests a range beyond the file", () => {
  const etag = '"e"';
  const ask = (range: string, size = 10) => {
    const { status, start, end } = partOf({ range }, size, etag);
    return [status, start, end];
  };
  const whole = [200, 0, 10];
  const none = [416, 0, 0];
  assert.deepEqual(ask("bytes=0-0,-1"), whole);
  assert.deepEqual(ask(`bytes=${Array.from({ length: 5000 }, () => "0-").join(",")}`), whole);
  assert.deepEqual(ask("bytes=5-2"), whole);
  assert.deepEqual(ask("bytes=-"), whole);
  assert.deepEqual(ask("lines=1-2"), whole);
  assert.deepEqual(ask("bytes=1e3-"), whole);
  assert.deepEqual(ask(`bytes=${"9".repeat(400)}-`), none);
  assert.deepEqual(ask(`bytes=0-${"9".repeat(400)}`), [206, 0, 10]);
  assert.deepEqual(ask(`bytes=-${"9".repeat(400)}`), [206, 0, 10]);
  assert.deepEqual(ask("bytes=9007199254740993-9007199254740995"), none);
  assert.deepEqual(ask("bytes=-0"), none);
  assert.deepEqual(ask("bytes=0-", 0), none);
  assert.deepEqual(ask("bytes=0-9, "), whole);
});
