import assert from "node:assert/strict";
import test from "node:test";
import { masked, maskedFields } from "../../server/api/actions/webhook-log.ts";

test("masks secrets by name and nothing else", () => {
  const kept = '{"title":"It rains","number":7,"url":"https://e.example:8080/a?page=2","tokens":3,"author":"Ada"}';
  assert.equal(masked(kept), kept);
  const secrets: [string, string][] = [
    ['{"client_secret":"x"}', '{"client_secret":"********"}'],
    ['{"X-Gitlab-Token" : "x"}', '{"X-Gitlab-Token" : "********"}'],
    ['{"token":12345}', '{"token":"********"}'],
    ['{"password":"a\\"b"}', '{"password":"********"}'],
    ['[["Cookie","a=b"]]', '[["Cookie","********"]]'],
    ['{"secret":"cut in the mid', '{"secret":"********"'],
    ["https://ada:x@e.example/", "https://********@e.example/"],
    ["https://e.example/?api_key=x&page=2", "https://e.example/?api_key=********&page=2"],
    ["Authorization: Bearer abcdefgh12", "Authorization: Bearer ********"],
  ];
  for (const [text, expected] of secrets) assert.equal(masked(text), expected);
  const fields = maskedFields([
    ["token", "x"],
    ["text", "hello"],
  ]);
  assert.equal(fields, "token=********&text=hello");
});
