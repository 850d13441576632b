import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { ApiError } from "../../server/errors.ts";
import { readIncoming } from "../../server/integrations/incoming/reading.ts";
import { integrations } from "../../server/integrations/incoming/registry.ts";
import { render } from "../markdown/examples.ts";
import { requests } from "./payloads.ts";
import { integration, request, type Sent } from "./requests.ts";

/** Rejections must be ApiErrors, and accepted messages must be valid. */
function survives(name: string, body: unknown, sent: Sent): void {
  try {
    const result = readIncoming(integration(name), request(body, sent));
    if (result.is !== "messages") return;
    assert.ok(result.messages.length > 0);
    for (const { topic, content } of result.messages) {
      assert.ok(Array.from(topic).length <= 60 && !/\p{Cc}/u.test(topic), topic);
      assert.ok(content.trim() !== "" && Array.from(content).length <= 10_000 && content.isWellFormed(), content);
      // Traces of stringified internal values, unless the sender wrote them.
      const written = JSON.stringify(body) ?? "";
      for (const trace of ["undefined", "[object", "native code", "=>"])
        assert.ok(!content.includes(trace) || written.includes(trace), content);
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw new Error(`${name}: ${JSON.stringify({ body, sent })}`, { cause: error });
    assert.equal(error.status, 400);
  }
}

type Place = { path: string[]; value: unknown };

function places(value: unknown, path: string[] = []): Place[] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [{ path, value }, ...inner.flatMap(([key, each]) => places(each, [...path, key]))];
}

function changed(value: unknown, [key, ...rest]: string[], into: unknown): unknown {
  if (key === undefined) return into;
  const copy: any = Array.isArray(value) ? [...value] : { ...(value as object) };
  copy[key] = changed(copy[key], rest, into);
  return copy;
}

const WRONG = [
  null,
  0,
  -1.5e300,
  true,
  "",
  "\u0000\uD800 \n",
  [],
  [null],
  {},
  { a: { b: [1] } },
  "constructor",
  "toString",
  undefined,
];

test("no valid request crashes an integration", () => {
  let posted = 0;
  for (const { name, body, sent } of requests) {
    survives(name, body, sent);
    if (readIncoming(integration(name), request(body, sent)).is === "messages") posted++;
  }
  assert.ok(posted > requests.length * 0.7, `${posted} of ${requests.length}`);
});

test("accepts any wrong type in every field", () => {
  // One of GitHub's many actions per header, and all requests of the others.
  const kinds = requests.filter(({ name, body }) => name !== "github" || (body as any).action === "created");
  for (const { name, body, sent } of kinds) {
    for (const { path } of places(body)) {
      for (const wrong of WRONG) survives(name, changed(body, path, wrong), sent);
    }
  }
});

test("reads or rejects any JSON", () => {
  const sents = new Map(integrations.map(({ name }) => [name, requests.filter((each) => each.name === name)]));
  for (const { name } of integrations) {
    const known = sents.get(name) ?? [];
    fc.assert(
      fc.property(fc.json(), fc.nat(), (body, index) => survives(name, body, known[index % known.length]?.sent ?? {})),
      { numRuns: 50 },
    );
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.jsonValue(), (index, at, value) => {
        const one = known[index % known.length];
        if (!one) return;
        const all = places(one.body);
        survives(name, changed(one.body, all[at % all.length]!.path, value), one.sent);
      }),
      { numRuns: 50 },
    );
  }
});

test("external text never mentions anyone, in any field", () => {
  const attacks = [
    "@**all**",
    "x](y) @**all** [z",
    "`\n\n@**all**\n\n```quote\n",
    "> \n\n@**everyone** *",
    "<@U1|@**all**>",
    "*@*all**",
    "@**Iago** @*support*",
  ];
  for (const { name, body, sent } of requests) {
    const texts = places(body).filter(({ value }) => typeof value === "string");
    for (const attack of attacks) {
      const everywhere = texts.reduce((so, { path, value }) => {
        // The fields that select the event type stay.
        const isText = !/^(?:action|type|eventKey|webhookEvent|status|state|noteable_type)$/.test(path.at(-1)!);
        return isText && !/^(?:refs|https?:)/.test(String(value)) ? changed(so, path, `${value} ${attack}`) : so;
      }, body as unknown);
      let result: ReturnType<typeof readIncoming>;
      try {
        result = readIncoming(integration(name), request(everywhere, sent));
      } catch (error) {
        assert.ok(error instanceof ApiError);
        continue;
      }
      for (const { content } of result.is === "messages" ? result.messages : []) {
        const { mentions } = render(content);
        assert.ok(!mentions.channelWildcard && !mentions.topicWildcard, `${name}: ${content}`);
        const mayMention = name === "homeassistant" || name === "slack_incoming";
        if (!mayMention) assert.deepEqual([mentions.userIds, mentions.groupIds], [[], []], `${name}: ${content}`);
      }
    }
  }
});

test("reads or rejects deeply nested payloads", () => {
  const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  const elements = `{"blocks":[${'{"type":"rich_text","elements":['.repeat(50_000)}${"]}".repeat(50_000)}]}`;
  const content = `{"webhookEvent":"comment_created","issue":{"key":"A-1"},"comment":{"body":${'{"content":['.repeat(50_000)}${"]}".repeat(50_000)}}}`;
  for (const { name } of integrations) survives(name, deep, {});
  survives("slack_incoming", elements, {});
  survives("jira", content, {});
});
