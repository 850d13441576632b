import assert from "node:assert/strict";
import test from "node:test";
import { summaryOf, textOf } from "../../server/markdown/summary.ts";
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

const text = (content: string, max = 1000): string => textOf(html(content), content, max);

test("the text for mails keeps lines, lists, code and emoji", () => {
  assert.equal(text("**Bold** and *more*\nnext\n\nlast"), "Bold and more\nnext\nlast");
  assert.equal(text("* a\n* b <c> & d"), "- a\n- b <c> & d");
  assert.equal(text("```\nif (a)\n  b\n```"), "if (a)\n  b");
  assert.equal(text(":tada: done"), "🎉 done");
  assert.equal(text("$$x^2$$ is $$x \\cdot x$$"), "$$x^2$$ is $$x \\cdot x$$");
  assert.equal([...text("ü".repeat(500), 100)].length, 100);
});

test("the text for mails has no spoilers, with formulas too", () => {
  for (const inside of ["He **dies**", "$$x^2$$"]) {
    const shown = text(`before\n\n\`\`\`spoiler The end\n${inside}\n\`\`\`\n\nafter $$y$$`);
    assert.match(shown, /before\s+The end\s+after/);
    assert.doesNotMatch(shown, /dies|x\^2/);
  }
});
