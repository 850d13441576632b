import assert from "node:assert/strict";
import test from "node:test";
import { summaryOf } from "../../server/markdown/summary.ts";
import { html } from "./examples.ts";

const summary = (content: string): string => summaryOf(html(content), content);

test("a summary is a line of text", () => {
  assert.equal(summary("**Bold** and\n\n* a\n* b"), "Bold and a b");
  assert.equal(summary("/me waves"), "waves");
  assert.equal(summary("a & b < c"), "a & b < c");
});

test("a summary has no spoilers, and quotes only if there is nothing else", () => {
  assert.equal(summary("before\n\n```spoiler The end\nHe **dies**\n\n> twice\n```\n\nafter"), "before The end after");
  assert.equal(summary("```quote\nquoted\n```\n\nanswer"), "answer");
  assert.equal(summary("> only a quote"), "only a quote");
});

test("a message of emoji keeps its Markdown, and long texts are cut", () => {
  assert.equal(summary(":tada:"), ":tada:");
  assert.equal([...summary("ü".repeat(500))].length, 200);
});
