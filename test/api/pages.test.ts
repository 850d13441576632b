import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { createHttp } from "../../server/http/server.ts";
import { addPages, CONTENT_SECURITY_POLICY } from "../../server/pages.ts";
import { startChat } from "../support/chat.ts";
import { temporaryFolder } from "../support/organization.ts";

const FILES = {
  "admin/index.html": "<!doctype html><title>Hearth</title>",
  "chat/index.html": "<!doctype html><title>Chat</title>",
  "assets/admin-3f.js": "export {};",
  "assets/admin-3f.js.map": "{}",
  "assets/admin-3f.css": "body {}",
  "assets/inter-3f.woff2": "font",
  "assets/hearth-3f.svg": "<svg/>",
  "assets/hearth-3f.png": "png",
  "icon.svg": "<svg/>",
  "site.webmanifest": "{}",
  "words.json": "{}",
};

interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Serves a folder and requests paths exactly as given, because fetch would normalize them. */
async function startPages(t: TestContext, files: Record<string, string> = FILES) {
  const root = temporaryFolder(t);
  const folder = join(root, "ui");
  writeFileSync(join(root, "secret.key"), "secret");
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const http = createHttp({
    endpoints: [],
    store: {
      reader: undefined as never,
      seq: 0,
      durable: () => undefined,
      untilRoom: () => undefined,
      transact: undefined as never,
    },
    app: {},
    identify: () => assert.fail("a page asks nobody who they are"),
    logger: { error: (message, error) => assert.fail(`${message}: ${error}`) },
  });
  addPages(http.fastify, folder);
  const { port } = await http.listen({ host: "127.0.0.1", port: 0 });
  t.after(() => http.close());
  const get = (path: string, method = "GET", sent: Record<string, string> = {}) =>
    new Promise<Got>((resolve, reject) => {
      request({ host: "127.0.0.1", port, path, method, headers: sent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (more) => (text += more));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      })
        .on("error", reject)
        .end();
    });
  return { get, folder, root };
}

test("the chat and the admin page are uncached and isolated", async (t) => {
  const { get } = await startPages(t);
  const pages = {
    "/admin/": "admin",
    "/admin/?a=b": "admin",
    "/admin/index.html": "admin",
    "/": "chat",
    "/?a=b": "chat",
  };
  for (const [path, page] of Object.entries(pages) as [string, "admin" | "chat"][]) {
    const { status, headers, text } = await get(path);
    assert.deepEqual([status, text], [200, FILES[`${page}/index.html`]], path);
    assert.equal(headers["content-type"], "text/html; charset=utf-8");
    assert.equal(headers["cache-control"], "no-store");
    assert.equal(headers["content-security-policy"], CONTENT_SECURITY_POLICY);
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["cross-origin-opener-policy"], "same-origin");
  }
  assert.match(CONTENT_SECURITY_POLICY, /^default-src 'none'; script-src 'self'; /);
  assert.doesNotMatch(CONTENT_SECURITY_POLICY, /https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
  const head = await get("/admin/", "HEAD");
  assert.deepEqual([head.status, head.text], [200, ""]);
  const { status, headers } = await get("/admin");
  assert.deepEqual([status, headers["location"]], [302, "/admin/"]);
});

test("caches assets forever with their content types", async (t) => {
  const { get } = await startPages(t);
  const types: Record<string, string> = {
    "assets/admin-3f.js": "text/javascript; charset=utf-8",
    "assets/admin-3f.css": "text/css; charset=utf-8",
    "assets/inter-3f.woff2": "font/woff2",
    "assets/hearth-3f.svg": "image/svg+xml",
    "assets/hearth-3f.png": "image/png",
  };
  for (const [name, type] of Object.entries(types)) {
    const { status, headers, text } = await get(`/${name}`);
    assert.deepEqual([status, text], [200, FILES[name as keyof typeof FILES]]);
    assert.equal(headers["content-type"], type);
    assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(headers["x-content-type-options"], "nosniff");
  }
  const others = {
    "assets/admin-3f.js.map": "application/json; charset=utf-8",
    "words.json": "application/json; charset=utf-8",
    "site.webmanifest": "application/manifest+json; charset=utf-8",
    "icon.svg": "image/svg+xml",
  };
  for (const [name, type] of Object.entries(others)) {
    const { headers } = await get(`/${name}`);
    assert.deepEqual([headers["content-type"], headers["cache-control"]], [type, "no-store"], name);
  }
});

test("sends files that the build compressed", async (t) => {
  const files = { ...FILES, "assets/admin-3f.js.br": "as brotli", "assets/admin-3f.js.gz": "as gzip" };
  const { get } = await startPages(t, files);
  for (const [accepted, encoding, text] of [
    ["gzip, deflate, br", "br", "as brotli"],
    ["gzip", "gzip", "as gzip"],
    ["identity", undefined, FILES["assets/admin-3f.js"]],
    ["br;q=0", undefined, FILES["assets/admin-3f.js"]],
  ] as const) {
    const got = await get("/assets/admin-3f.js", "GET", { "accept-encoding": accepted });
    assert.deepEqual([got.status, got.headers["content-encoding"], got.text], [200, encoding, text], accepted);
    assert.match(got.headers["content-type"] as string, /^(?:text|application)\/javascript; charset=utf-8$/);
    assert.equal(got.headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(got.headers["vary"], "accept-encoding");
  }
  // A file without a compressed form is sent uncompressed.
  const style = await get("/assets/admin-3f.css", "GET", { "accept-encoding": "br" });
  assert.deepEqual([style.headers["content-encoding"], style.text], [undefined, FILES["assets/admin-3f.css"]]);
});

test("no path escapes the folder or finds unbuilt files", async (t) => {
  const { get, folder, root } = await startPages(t);
  symlinkSync(root, join(folder, "assets", "up"));
  const paths = [
    "/../secret.key",
    "/assets/../../secret.key",
    "/assets/..%2f..%2fsecret.key",
    "/assets/%2e%2e/%2e%2e/secret.key",
    "/assets/..\\..\\secret.key",
    "/assets/..%5c..%5csecret.key",
    "/assets//../../secret.key",
    "/assets/up/up/secret.key/..",
    "//etc/passwd",
    "/etc/passwd",
    "/assets/admin-3f.js%00.png",
    "/assets/admin-3f.js/",
    "/assets/",
    "/assets",
    "/admin/../admin/index.html",
    "/ADMIN/",
    "/__proto__",
    "/constructor",
    "/assets/%zz",
  ];
  for (const path of paths) {
    const { status, text } = await get(path);
    assert.ok(status === 404 || status === 400, `${path}: ${status}`);
    assert.doesNotMatch(text, /^secret|root:/, path);
    assert.equal(JSON.parse(text).result, "error", path);
  }
  assert.equal((await get("/assets/admin-3f.js", "POST")).status, 404);
  assert.equal((await get("/assets/admin-3f.js")).status, 200);
});

test("an unknown URL returns a page to browsers, JSON to programs", async (t) => {
  const files = { ...FILES, "not-found/index.html": '<!doctype html><script src="../assets/lost.js"></script>' };
  const { get } = await startPages(t, files);
  const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
  for (const path of ["/login", "/some/old/link?x=1", "/assets/none.js"]) {
    const { status, headers, text } = await get(path, "GET", browser);
    assert.deepEqual([status, headers["content-type"]], [404, "text/html; charset=utf-8"], path);
    assert.equal(text, '<!doctype html><script src="/assets/lost.js"></script>');
    assert.equal(headers["content-security-policy"], CONTENT_SECURITY_POLICY);
  }
  const json: [string, string, Record<string, string>][] = [
    ["/login", "GET", {}],
    ["/login", "GET", { accept: "application/json" }],
    ["/login", "GET", { accept: "*/*" }],
    ["/login", "POST", browser],
    ["/api/v1/none", "GET", browser],
    ["/api", "GET", browser],
    ["/host/none", "GET", browser],
  ];
  for (const [path, method, headers] of json) {
    const answer = await get(path, method, headers);
    assert.deepEqual([answer.status, JSON.parse(answer.text).result], [404, "error"], `${method} ${path}`);
  }
  const { get: getUnbuilt } = await startPages(t);
  assert.equal(JSON.parse((await getUnbuilt("/login", "GET", browser)).text).result, "error");
});

test("missing pages explain themselves until they are built", async (t) => {
  const { get, folder } = await startPages(t, {});
  const { status, text } = await get("/admin/");
  assert.equal(status, 503);
  assert.match(JSON.parse(text).msg, /not built/);
  assert.equal((await get("/assets/admin-3f.js")).status, 404);
  mkdirSync(join(folder, "admin"), { recursive: true });
  writeFileSync(join(folder, "admin", "index.html"), "built");
  assert.equal((await get("/admin/")).text, "built");
});

test("pages need a valid hostname and no sign-in", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const { port } = new URL(chat.url);
  const asked = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ host: "127.0.0.1", port, path: "/admin", headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
  assert.equal(await asked(`127.0.0.1:${port}`), 302);
  assert.equal(await asked(`rebound.example:${port}`), 421);
});

test("everyone gets the placeholder picture of a thumbnail", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const picture = await fetch(`${chat.url}/generated/loading.png`);
  assert.equal(picture.status, 200);
  assert.equal(picture.headers.get("content-type"), "image/png");
  assert.equal(Buffer.from(await picture.arrayBuffer()).toString("latin1", 1, 4), "PNG");
});

test("a generated picture counts and is drawn once", async (t) => {
  const chat = await startChat(t, { rateLimit: "on", unwatched: true });
  const status = async (id: number) => {
    const picture = await fetch(`${chat.url}/generated/user-${id}-medium.png`);
    await picture.arrayBuffer();
    return picture.status;
  };
  let refused = 0;
  for (let at = 0; at < 1010 && refused === 0; at += 10) {
    const statuses = await Promise.all(Array.from({ length: 10 }, (_, i) => status(1 + at + i)));
    refused = statuses.filter((one) => one === 429).length;
    if (at < 900) assert.equal(refused, 0);
  }
  for (let at = 1200; refused === 0; at++) if ((await status(at)) === 429) refused++;
  for (let i = 0; i < 20; i++) assert.equal(await status(1), 200, "it is cached");
});
