import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { integer, restOfPath, text } from "../../server/http/params.ts";
import { routeOf, routePaths } from "../../server/http/routes.ts";
import { as, endpoint, form, start as startHttp } from "../support/http-api.ts";

/** An endpoint whose response names its route and its parameters. */
const named = (route: string, params = {}, more = {}) =>
  endpoint({
    route,
    summary: "Names itself.",
    who: "member",
    params,
    response: z.looseObject({}),
    handle: ({ params: got }) => ({ at: route, ...(got as object) }),
    ...more,
  });

const endpoints = [
  named("GET /people/me"),
  named("DELETE /people/me"),
  named("GET /people/{id}", { id: integer() }),
  named("PATCH /people/{id}", { id: integer() }),
  named("DELETE /people/{id}", { id: integer() }),
  named("GET /people/{name}", { name: text() }),
  named("GET /people/{id}/notes/{note}", { id: integer(), note: integer() }),
  named("POST /people/me/notes/{note}", { note: integer() }),
  named("GET /things/{id}", { id: integer() }),
  named("POST /things/new"),
  named("POST /methods", { method: text() }),
  named("GET /methods"),
  named("GET /trees/{rest}", { rest: restOfPath() }),
  named("GET /raw/{name}", { name: text() }, { readsRaw: true }),
  named("POST /raw/{name}", { name: text() }, { readsRaw: true }),
];

async function start(t: Parameters<typeof startHttp>[0]) {
  const { call, raw } = await startHttp(t, { endpoints });
  /** The response: where it came from, or its status with the methods it allows. */
  const ask = async (method: string, path: string, body?: string) => {
    const headers = { ...as("member"), ...(body !== undefined && form) };
    const answer = await call(method, `/api/v1${path}`, { headers, ...(body !== undefined && { body }) });
    const { result: _, msg, at, allowed_methods, ...rest } = answer.body ?? {};
    const allow = answer.headers.get("allow");
    if (allowed_methods) assert.equal(allowed_methods.join(", "), allow);
    if (answer.status === 400) return [400, msg];
    return answer.status === 200 && at ? [at, rest] : [answer.status, allow];
  };
  return { ask, raw };
}

const ME = "DELETE, GET, HEAD";

test("literals win over numbers, and numbers over text", async (t) => {
  const { ask } = await start(t);
  assert.deepEqual(await ask("GET", "/people/me"), ["GET /people/me", {}]);
  assert.deepEqual(await ask("GET", "/people/-7"), ["GET /people/{id}", { id: -7 }]);
  assert.deepEqual(await ask("GET", "/people/7x"), ["GET /people/{name}", { name: "7x" }]);
  assert.deepEqual(await ask("GET", "/people/me2"), ["GET /people/{name}", { name: "me2" }]);
  assert.deepEqual(await ask("GET", "/people/99999999999999999"), [400, "id must be an integer."]);
  assert.deepEqual(await ask("GET", "/things/new"), [405, "POST"]);
  assert.deepEqual(await ask("GET", "/things/x"), [400, "id must be an integer."]);
  assert.deepEqual(await ask("GET", "/people/7/notes/x"), [400, "note must be an integer."]);
  assert.deepEqual(await ask("GET", "/people/x/notes/1"), [404, null]);
});

test("path segments are decoded, and the last parameter can contain slashes", async (t) => {
  const { ask } = await start(t);
  assert.deepEqual(await ask("GET", "/people/a%2Fb%20%3F"), ["GET /people/{name}", { name: "a/b ?" }]);
  assert.deepEqual(await ask("GET", "/%70eople/m%65"), ["GET /people/me", {}]);
  assert.deepEqual(await ask("GET", "/people/%37"), ["GET /people/{id}", { id: 7 }]);
  assert.deepEqual(await ask("GET", "/trees/a/b%2Fc"), ["GET /trees/{rest}", { rest: "a/b/c" }]);
  assert.deepEqual(await ask("GET", "/people//me/"), ["GET /people/me", {}]);
  assert.deepEqual(await ask("GET", "/people/%zz"), [404, null]);
});

test("a wrong method gets 405 with the methods of the most specific path", async (t) => {
  const { ask } = await start(t);
  for (const method of ["PATCH", "PUT", "PURGE", "MKCOL"])
    assert.deepEqual(await ask(method, "/people/me/"), [405, ME], method);
  assert.deepEqual(await ask("PUT", "/people/7"), [405, "DELETE, GET, HEAD, PATCH"]);
  assert.deepEqual(await ask("PATCH", "/people/seven"), [405, "GET, HEAD"]);
  assert.deepEqual(await ask("GET", "/people/me/notes/7"), [405, "POST"]);
  assert.deepEqual(await ask("PROPFIND", "/people/7/notes//1"), [405, "GET, HEAD"]);
  assert.deepEqual(await ask("DELETE", "/trees/a/b"), [405, "GET, HEAD"]);
  assert.deepEqual(await ask("PUT", "/raw/x"), [405, "GET, HEAD, POST"]);
  for (const method of ["PUT", "PURGE", "OPTIONS"])
    assert.deepEqual(await ask(method, "/nothing"), [404, null], method);
});

test("a refusal names the method that was sent", async (t) => {
  const { raw } = await start(t);
  const ask = async (line: string) => raw(`${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  assert.equal((await ask("PURGE /api/v1/people/me")).body.msg, "The method PURGE is not allowed for this URL.");
  assert.equal((await ask("OPTIONS *")).status, 204);
  assert.equal((await ask("PURGE *")).status, 404);
});

test("OPTIONS lists the methods", async (t) => {
  const { ask } = await start(t);
  assert.deepEqual(await ask("OPTIONS", "/people/me"), [204, ME]);
  assert.deepEqual(await ask("OPTIONS", "//people/7/"), [204, "DELETE, GET, HEAD, PATCH"]);
  assert.deepEqual(await ask("OPTIONS", "/people/seven"), [204, "GET, HEAD"]);
  assert.deepEqual(await ask("OPTIONS", "/trees/a/b"), [204, "GET, HEAD"]);
  assert.deepEqual(await ask("OPTIONS", "/raw/x", "method=GET"), [204, "GET, HEAD, POST"]);
});

test("HEAD works where GET does", async (t) => {
  const { ask } = await start(t);
  for (const path of ["/people/me", "/people/7", "/people/seven", "/trees/a/b", "/raw/x"])
    assert.deepEqual(await ask("HEAD", path), [200, null], path);
  assert.deepEqual(await ask("HEAD", "/things/new"), [405, "POST"]);
  assert.deepEqual(await ask("HEAD", "/nothing"), [404, null]);
});

test("a field of a POST can select another method of its path", async (t) => {
  const { ask } = await start(t);
  assert.deepEqual(await ask("POST", "/people/7", "method=patch"), ["PATCH /people/{id}", { id: 7 }]);
  assert.deepEqual(await ask("POST", "/people/7?method=DELETE", ""), ["DELETE /people/{id}", { id: 7 }]);
  assert.deepEqual(await ask("POST", "/people/me", "method=GET"), ["GET /people/me", {}]);
  assert.deepEqual(await ask("POST", "/people/seven", "method=PATCH"), [405, "GET, HEAD"]);
  assert.deepEqual(await ask("POST", "/people/7"), [405, "DELETE, GET, HEAD, PATCH"]);
  assert.deepEqual(await ask("POST", "/things/new", "method=POST"), ["POST /things/new", {}]);
  assert.deepEqual(await ask("POST", "/things/new", "method=GET"), [405, "POST"]);
  assert.deepEqual(await ask("POST", "/methods", "method=GET"), ["POST /methods", { method: "GET" }]);
  assert.deepEqual(await ask("POST", "/raw/x", "method=GET"), ["POST /raw/{name}", { name: "x" }]);
});

test("rejects malformed and repeated declarations", () => {
  assert.throws(() => routeOf(named("FETCH /people")), /Not a route: FETCH/);
  const twice = [named("GET /a/{id}", { id: integer() }), named("GET /a/{other}", { other: integer() })];
  assert.throws(() => routePaths(twice.map(routeOf)), /Declared twice: GET \/a\/\{other\}/);
});
