import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import test from "node:test";
import { inspect } from "node:util";
import { Failure } from "../../server/errors.ts";
import { type FetchOptions, fetchedFile } from "../../server/host/imports/fetched-files.ts";
import { openFileOf } from "../../server/imports/archive.ts";
import { Lookups } from "../../server/integrations/outgoing/lookups.ts";
import { guardedAgent } from "../../server/integrations/outgoing/post.ts";
import { archiveOf } from "../imports/archives.ts";
import { holds } from "../support/patience.ts";
import {
  answer,
  breakAfter,
  FILE,
  type SlackServer,
  serve,
  signInPage,
  startSlack,
  TOKEN,
  tokenCheck,
} from "../support/slack-server.ts";

const CHECK = "https://slack.com/api/auth.test";
const OTHER = "https://files.slack.com/files-pri/T1-F2/other.txt";
const AVATAR = "https://avatars.slack-edge.com/ann_512.png";
const BODY = randomBytes(600_000);

/** A file's contents in the folder. */
async function contentOf({ folder }: SlackServer, url = FILE): Promise<Buffer> {
  const path = await fetchedFile(folder, url);
  assert.ok(path, `${url} is not there`);
  return readFileSync(path);
}

/** An error with this reason, which does not contain the token. */
const stopsWith = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof Failure);
  assert.equal(error.problem.reason, reason);
  assert.ok(!inspect(error, { depth: 9 }).includes("secret"));
  return true;
};

const reasonsOf = ({ failures }: Awaited<ReturnType<SlackServer["fetch"]>>): string[] =>
  failures.map(({ reason }) => reason.reason);

test("fetches each file once, and sends the token to two hosts only", async (t) => {
  const slack = await startSlack(t);
  slack.scripts[FILE] = [serve(BODY)];
  slack.scripts[AVATAR] = [serve(Buffer.from("picture"))];
  const wanted = [{ url: FILE, size: BODY.length }, { url: AVATAR }, { url: FILE }];
  const { failures, ...counts } = await slack.fetch(wanted);
  assert.deepEqual([counts, failures], [{ fetched: 2, failed: 0, bytes: BODY.length + 7 }, []]);
  assert.deepEqual(await contentOf(slack), BODY);
  assert.equal(slack.headersOf(FILE)[0]?.authorization, `Bearer ${TOKEN}`);
  assert.equal(slack.headersOf(AVATAR)[0]?.authorization, undefined);
  assert.deepEqual((await slack.fetch(wanted)).bytes, counts.bytes);
  assert.equal(slack.headersOf(FILE).length, 1, "the second run does not fetch it again");
  assert.equal(readdirSync(slack.folder).length, 2);
});

test("readers open fetched files", async (t) => {
  const slack = await startSlack(t);
  slack.scripts[FILE] = [serve(Buffer.from("plan"))];
  await slack.fetch([{ url: FILE }]);
  const openFile = openFileOf(archiveOf({}), (url) => fetchedFile(slack.folder, url));
  assert.equal((await (await openFile({ url: FILE })).toArray()).join(""), "plan");
  await assert.rejects(openFile({ url: `${OTHER}?t=xoxe-secret` }), stopsWith("import_part_missing"));
});

test("continues after a broken connection", async (t) => {
  const slack = await startSlack(t);
  slack.scripts[FILE] = [breakAfter(200_000, BODY), serve(BODY)];
  assert.equal((await slack.fetch([{ url: FILE }])).fetched, 1);
  assert.deepEqual(await contentOf(slack), BODY);
  const [, second] = slack.headersOf(FILE);
  assert.match(second?.range ?? "", /^bytes=[1-9]\d*-$/);
  assert.equal(second?.["if-range"], '"1"');
  assert.deepEqual(slack.pauses, [1000]);
  assert.equal(readdirSync(slack.folder).length, 1);
});

test("starts again if the file changed, or Slack sends no ranges", async (t) => {
  const slack = await startSlack(t);
  const changed = serve(BODY.subarray(1), '"2"');
  const longer = answer(206, { "content-range": "bytes 200000-999999/1000000" }, "x");
  slack.scripts[FILE] = [breakAfter(200_000, BODY), changed];
  slack.scripts[OTHER] = [breakAfter(200_000, BODY), longer, serve(BODY)];
  slack.scripts[AVATAR] = [breakAfter(200_000, BODY), answer(416), serve(BODY)];
  assert.equal((await slack.fetch([{ url: FILE }, { url: OTHER }, { url: AVATAR }])).fetched, 3);
  assert.deepEqual(await contentOf(slack), BODY.subarray(1));
  for (const url of [OTHER, AVATAR]) {
    assert.deepEqual(await contentOf(slack, url), BODY);
    assert.deepEqual(
      slack.headersOf(url).map(({ range }) => range !== undefined),
      [false, true, false],
    );
  }
});

test("a canceled run leaves parts, and the next one continues them", async (t) => {
  const slack = await startSlack(t);
  const stall = (response: Parameters<ReturnType<typeof serve>>[0]) => {
    response.writeHead(200, { "content-length": BODY.length, etag: '"1"' }).write(BODY.subarray(0, 400_000));
  };
  slack.scripts[FILE] = [stall, serve(BODY)];
  const cancel = new AbortController();
  const onProgress = () => cancel.abort(new Error("canceled"));
  await assert.rejects(slack.fetch([{ url: FILE }], { signal: cancel.signal, onProgress }), /^Error: canceled$/);
  const left = readdirSync(slack.folder);
  assert.ok(left.length === 2 && left.every((name) => name.endsWith(".part")), String(left));
  assert.equal(await fetchedFile(slack.folder, FILE), undefined);
  const { fetched, bytes } = await slack.fetch([{ url: FILE }]);
  assert.deepEqual([fetched, bytes, slack.headersOf(FILE)[1]?.["if-range"]], [1, BODY.length, '"1"']);
  assert.deepEqual(await contentOf(slack), BODY);
  assert.equal(readdirSync(slack.folder).length, 1);
});

test("a part that a crash left starts again", async (t) => {
  const slack = await startSlack(t);
  slack.scripts[FILE] = [serve(Buffer.from("plan"))];
  await slack.fetch([{ url: FILE }]);
  const path = await fetchedFile(slack.folder, FILE);
  renameSync(path as string, `${path}.part`);
  for (const info of [undefined, "damaged"]) {
    slack.scripts[FILE] = [serve(BODY)];
    if (info !== undefined) writeFileSync(`${path}.info.part`, info);
    await slack.fetch([{ url: FILE }]);
    assert.deepEqual(await contentOf(slack), BODY);
    assert.equal(slack.headersOf(FILE).at(-1)?.range, undefined);
    renameSync(path as string, `${path}.part`);
  }
});

test("waits as long as Slack asks", async (t) => {
  const slack = await startSlack(t);
  slack.scripts[FILE] = [answer(429, { "retry-after": "7" }), answer(503), serve(BODY)];
  assert.equal((await slack.fetch([{ url: FILE }])).fetched, 1);
  assert.deepEqual(slack.pauses, [7000, 1000, 2000]);
});

test("a cancel ends a pause", async (t) => {
  const slack = await startSlack(t);
  slack.scripts[FILE] = [answer(429, { "retry-after": "600" })];
  const cancel = new AbortController();
  const run = slack.fetch([{ url: FILE }], { signal: cancel.signal, pauseFor: undefined });
  await holds(() => slack.headersOf(FILE).length === 1);
  cancel.abort(new Error("canceled"));
  await assert.rejects(run, /^Error: canceled$/);
});

test("never follows a redirect to another host", async (t) => {
  const slack = await startSlack(t);
  const locations = [
    "https://evil.example/?t=secret",
    "http://files.slack.com/x",
    "https://slack.com:8443/",
    "https://[",
  ];
  const wanted = locations.map((_, index) => ({ url: `${FILE}?n=${index}&t2=secret` }));
  for (const [index, { url }] of wanted.entries())
    slack.scripts[url] = [answer(302, { location: locations[index] as string })];
  const result = await slack.fetch(wanted);
  const [foreign, toHttp, otherPort, malformed] = reasonsOf(result);
  assert.deepEqual([foreign, otherPort], ["slack_url_foreign", "slack_url_foreign"]);
  assert.deepEqual([toHttp, malformed], ["redirect_to_http", "redirect_malformed"]);
  assert.ok(!inspect(result, { depth: 9 }).includes("secret"));
  assert.deepEqual([...new Set(slack.names)].sort(), ["files.slack.com", "slack.com"]);
});

test("refuses URLs that are not Slack's", async (t) => {
  const slack = await startSlack(t);
  const urls = [
    "http://files.slack.com/x",
    "https://files.slack.com:8443/x",
    "https://slack.com.evil.example/x",
    "https://evilslack.com/x",
    "https://slack-edge.com/x",
    "https://files.slack.com@evil.example/x",
    "https://127.0.0.1/x",
    "file:///etc/passwd",
    "not a URL?t=secret",
  ];
  const result = await slack.fetch(urls.map((url) => ({ url })));
  assert.deepEqual(
    reasonsOf(result),
    urls.map(() => "slack_url_foreign"),
  );
  assert.ok(!inspect(result, { depth: 9 }).includes("secret"));
  assert.deepEqual(
    slack.requests.map(({ path }) => path),
    ["/api/auth.test"],
  );
});

test("refuses private addresses", async (t) => {
  const slack = await startSlack(t);
  for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1"]) {
    const agentFor: FetchOptions["agentFor"] = (undici, guard, limits) =>
      guardedAgent(undici, { ...guard, lookups: new Lookups(async () => [address]) }, limits);
    const result = await slack.fetch([{ url: FILE }], { token: undefined, agentFor });
    assert.deepEqual(reasonsOf(result), ["slack_address_not_public"], address);
    await assert.rejects(slack.fetch([{ url: FILE }], { agentFor }), stopsWith("slack_address_not_public"));
  }
  assert.deepEqual(slack.requests, []);
});

test("takes a sign-in page for a refusal, and other files follow", async (t) => {
  const slack = await startSlack(t);
  const page = "https://acme.slack.com/?redir=%2Ffiles-pri";
  const statuses = [401, 403, 404, 418].map((status) => ({ url: `${FILE}?status=${status}`, status }));
  for (const { url, status } of statuses) slack.scripts[url] = [answer(status)];
  slack.scripts[FILE] = [answer(302, { location: page })];
  slack.scripts[page] = [signInPage];
  slack.scripts[OTHER] = [serve(BODY)];
  const result = await slack.fetch([{ url: FILE }, ...statuses, { url: OTHER }]);
  assert.deepEqual([result.fetched, result.failed], [1, 5]);
  const [hidden, missing, other] = ["slack_file_not_readable", "slack_file_not_found", "slack_http_status"];
  assert.deepEqual(reasonsOf(result).sort(), [missing, hidden, hidden, hidden, other].sort());
  assert.equal(slack.headersOf(page)[0]?.authorization, undefined);
  assert.equal(await fetchedFile(slack.folder, FILE), undefined);
});

test("fetches files that are HTML", async (t) => {
  const slack = await startSlack(t);
  const html = { "content-type": "text/html" };
  slack.scripts[FILE] = [answer(200, { ...html, "content-disposition": "attachment; filename=a" }, "<p>a")];
  slack.scripts[OTHER] = [answer(200, { ...html, "content-length": "4" }, "<p>b")];
  assert.equal((await slack.fetch([{ url: FILE }, { url: OTHER, size: 4 }])).fetched, 2);
  assert.equal(String(await contentOf(slack, OTHER)), "<p>b");
});

test("uses the token of a URL first", async (t) => {
  const slack = await startSlack(t);
  const [valid, expired] = [`${FILE}?t=xoxe-1`, `${OTHER}?t=xoxe-2`];
  slack.scripts[valid] = [serve(BODY)];
  slack.scripts[expired] = [signInPage, serve(BODY)];
  assert.equal((await slack.fetch([{ url: valid }, { url: expired }])).fetched, 2);
  const sent = (url: string) => slack.headersOf(url).map(({ authorization }) => authorization);
  assert.deepEqual([sent(valid), sent(expired)], [[undefined], [undefined, `Bearer ${TOKEN}`]]);
});

test("a token that Slack does not accept stops the run", async (t) => {
  const slack = await startSlack(t);
  slack.scripts[FILE] = [serve(BODY)];
  const run = (token?: string) => slack.fetch([{ url: FILE }], token === undefined ? {} : { token });
  await assert.rejects(run("secret\r\nx: y"), stopsWith("slack_token_malformed"));
  slack.scripts[CHECK] = [tokenCheck({ ok: false, error: "invalid_auth" })];
  await assert.rejects(run(), stopsWith("slack_token_refused"));
  slack.scripts[CHECK] = [tokenCheck({ ok: true }, "identify,users:read")];
  await assert.rejects(run(), stopsWith("slack_token_scope_missing"));
  slack.scripts[CHECK] = [answer(200, {}, "no JSON")];
  await assert.rejects(run(), stopsWith("slack_token_refused"));
  assert.deepEqual(slack.headersOf(FILE), []);
});

test("a token that is revoked during the run stops it", async (t) => {
  const slack = await startSlack(t);
  const wanted = Array.from({ length: 100 }, (_, index) => ({ url: `${FILE}?n=${index}` }));
  for (const { url } of wanted) slack.scripts[url] = [signInPage];
  slack.scripts[CHECK] = [tokenCheck({ ok: true }), tokenCheck({ ok: false, error: "token_revoked" })];
  await assert.rejects(slack.fetch(wanted), stopsWith("slack_token_refused"));
  assert.ok(slack.requests.length < 30, String(slack.requests.length));
});

test("an outage of Slack stops the run", async (t) => {
  const slack = await startSlack(t);
  const wanted = Array.from({ length: 100 }, (_, index) => ({ url: `${FILE}?n=${index}` }));
  for (const { url } of wanted) slack.scripts[url] = [answer(503)];
  await assert.rejects(slack.fetch(wanted), stopsWith("slack_http_status"));
  assert.ok(slack.requests.length <= 5 * 13, String(slack.requests.length));
});

test("limits the size of a file, of all files, and the use of the disk", async (t) => {
  const slack = await startSlack(t);
  const large = Buffer.alloc(2_000_000);
  slack.scripts[FILE] = [serve(large)];
  slack.scripts[OTHER] = [(response) => void response.writeHead(200).end(large)]; // without Content-Length
  const wanted = [FILE, OTHER].map((url) => ({ url, size: 10 }));
  assert.deepEqual(reasonsOf(await slack.fetch(wanted)), ["slack_file_too_large", "slack_file_too_large"]);
  await assert.rejects(slack.fetch([{ url: FILE }], { maxBytes: 1_000_000 }), stopsWith("slack_files_too_large"));
  const minFreeBytes = Number.MAX_SAFE_INTEGER;
  await assert.rejects(slack.fetch([{ url: FILE }], { minFreeBytes }), stopsWith("disk_full"));
  assert.deepEqual(readdirSync(slack.folder), []);
});
