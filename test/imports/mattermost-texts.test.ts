import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { toText } from "../../server/imports/document.ts";
import { type MattermostNames, parseMattermost } from "../../server/imports/formats/mattermost-markup.ts";
import { oneSpace, visible, written } from "./visible.ts";

const names: MattermostNames = {
  mention: (name) => (name === "all" ? { everyone: true } : name === "ann.lee" ? { person: name } : undefined),
  channel: (name) => (name === "dev" ? { channel: "core/dev" } : undefined),
};
const converted = (text: string) => toText(parseMattermost(text, names));
const assertTexts = (examples: readonly (readonly [string, ...unknown[]])[]) => {
  for (const [given, ...expected] of examples) assert.deepEqual(converted(given), expected, given);
};

test("inline Markdown becomes Hearth's", () => {
  assertTexts([
    ["_a_ __b__ *c* **d** ***e*** ~~f~~ `g*`", "*a* **b** *c* **d *e*** ~~f~~ `g*`"],
    ["snake_case_name 2*3 \\*a\\* &lt;b>", "snake_case_name 2&#42;3 &#42;a&#42; <b>"],
    ['[t _i_](http://e.example/a_b "x") <http://e.example>', "[t *i*](http://e.example/a_b) http://e.example"],
    [
      "see http://e.example/a_b_c. ![i](http://e.example/i.png)",
      "see http://e.example/a_b_c. [i](http://e.example/i.png)",
    ],
    ["$$x$$ @**all** \\<time:1>", "$&#36;x$&#36; @\u2060**all** &#60;time:1>"],
    [":tada: :wave_dark_skin_tone: :custom: 10:30:20", "🎉 👋🏿 :custom: 10:30:20"],
  ]);
});

test("blocks of Markdown become Hearth's", () => {
  assertTexts([
    ["# A\n\nB\n---\nc\nd", "# A\n\n## B\n\nc\nd"],
    ["- a\n    - b\n\n3. c\n4. d", "- a\n  - b\n\n3. c\n4. d"],
    ["- [ ] a\n- [x] b", "- [ ] a\n- [x] b"],
    ["> a\n> > b\n\n***", "> a\n>\n> > b\n\n---"],
    ["```js\nlet a;\n```\n\n    b", "```js\nlet a;\n```\n\n```\nb\n```"],
    ["```latex\na^2\n```\n\n```spoiler\nx\n```", "```math\na^2\n```\n\n```\nx\n```"],
    ["````\n```\n````", "````\n```\n````"],
    ["| a | b |\n|:--|--|\n| `c` | **d** |", "| a | b |\n|---|---|\n| `c` | **d** |"],
  ]);
});

test("names of people and channels become references", () => {
  const [ann, dev, all] = [{ person: "ann.lee" }, { channel: "core/dev" }, { everyone: true }];
  assertTexts([
    ["@ann.lee. @all, ~dev!", ann, ". ", all, ", ", dev, "!"],
    ["hi **@ann.lee** x@all.org @bob ~other", "hi ", ann, " x@all.org @bob ~other"],
    ["(@ann.lee) `@all` ~~a~~", "(", ann, ") `@all` ~~a~~"],
    ["# For @all\n- ~dev", "# For ", all, "\n\n- ", dev],
  ]);
});

const syntax = fc.constantFrom(
  ..."* _ ** __ ~~ ~ ` ``` > # - + 1. | |-| [ ]( ) ![ \\ & &lt; < @ @all ~dev :x: $$ <!-- === http://e.example/".split(
    " ",
  ),
  ...[" ", " ", "\n", "\n\n", "    ", "word", "Iago", "a1", "é"],
);

test("all texts keep their words", () => {
  fc.assert(
    fc.property(fc.array(syntax, { maxLength: 40 }), (pieces) => {
      // A table drops cells beyond its header, and titles of links and languages of code are not shown.
      const text = pieces
        .join("")
        .replaceAll("|", "")
        .replaceAll(/[`~]{3,}/g, "");
      const words = (each: string) => (each.match(/word|Iago|a1|é/g) ?? []).length;
      fc.pre(!text.includes("]("));
      assert.equal(words(visible(converted(text))), words(text));
    }),
    { numRuns: 3000 },
  );
});

test("reads all texts without errors", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(syntax, { maxLength: 60 }).map((pieces) => pieces.join("")),
        fc.string(),
      ),
      (text) => {
        assert.equal(typeof written(converted(text)), "string");
      },
    ),
    { numRuns: 2000 },
  );
});

test("texts without Markdown stay unchanged", () => {
  const harmless = fc.constantFrom(..."a_b word é 1 @** #** $$ ( ) /me quote spoiler: 7 % =".split(" "), " ", "\n");
  fc.assert(
    fc.property(fc.array(harmless, { maxLength: 30 }), (pieces) => {
      const text = `start ${pieces.join(" ")}`.replaceAll(/\n(?=[\s=]*=)/g, "");
      fc.pre(!/\n {4}|\*\* *[^\n]*\*\*/.test(text));
      assert.equal(visible(converted(text)), oneSpace(text));
    }),
    { numRuns: 2000 },
  );
});
