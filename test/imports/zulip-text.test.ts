import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type Names, parseText } from "../../server/imports/formats/zulip/text.ts";
import type { Reference } from "../../server/imports/model.ts";
import { written } from "./visible.ts";

const names: Names = {
  person: (name) => (name === "Ada" ? "11" : undefined),
  personName: (id) => (id === "11" ? "Ada" : undefined),
  channel: (name) => (name === "my general" ? "21" : undefined),
  channelName: (id) => (id === "21" ? "my general" : undefined),
  conversation: (people) => (people.includes(11) ? `direct:${people.join("-")}` : undefined),
  file: (path) => (path === "1/ab/c d.txt" || path === "1/ab/x.png" ? path : undefined),
};
const parsed = (source: string) => parseText(source, names);

const references: readonly (readonly [string, Reference])[] = [
  ["@**Ada**", { person: "11" }],
  ["@**Ada|11**", { person: "11" }],
  ["@_**|11**", { person: "11", silent: true }],
  ["@**Old Name|011**", { person: "11" }],
  ["@**Ada|99**", { person: "11" }],
  ["@**all**", { everyone: true }],
  ["@_**channel**", { everyone: true, silent: true }],
  ["@*rowers*", { group: "rowers" }],
  ["@_*role:members*", { group: "role:members", silent: true }],
  ["#**my general**", { channel: "21" }],
  ["#**my general>a > b**", { channel: "21", topic: "a > b" }],
  ["#**my general>a &#42; b**", { channel: "21", topic: "a * b" }],
  ["#**my general>a@17**", { message: "17", place: "21" }],
  ["[x](/user_uploads/1/ab/c%20d.txt)", { file: "1/ab/c d.txt", label: "x" }],
  ["![](/user_uploads/1/ab/x.png)", { file: "1/ab/x.png" }],
  ["/user_uploads/download/1/ab/x.png", { file: "1/ab/x.png" }],
  ["https://z.example/user_uploads/1/ab/x.png", { file: "1/ab/x.png" }],
  [
    "[said](https://z.example/#narrow/stream/21-my-general/topic/a.20b/near/17)",
    { message: "17", place: "21", label: "said" },
  ],
  ["[t](#narrow/channel/021-old-name/topic/a.2Eb)", { channel: "21", topic: "a.b" }],
  ["[said](/#narrow/dm/11,12-dm/near/17)", { message: "17", place: "direct:11-12", label: "said" }],
];

test("names, IDs and links become references", () => {
  for (const [source, reference] of references) assert.deepEqual(parsed(`a ${source}`), ["a ", reference], source);
});

test("names in code, unknown names and other links stay text", () => {
  const sources = [
    "`@**Ada**` ``#**my general** ` ``",
    "```\n@**Ada**\n```",
    "~~~ python\n@**Ada**\n```\n@**Ada**\n~~~",
    "x@**Ada**",
    "@**Eve**",
    "@**topic**",
    "#**none>a**",
    "[x](/user_uploads/1/none)",
    "[@**Ada**](https://x.example)",
    "$$x$$ **bold** *it*",
    "https://other.example/#narrow/channel/21-else/topic/a/near/1",
    "https://z.example/#narrow/dm/99-dm/near/1",
    "/poll Lunch?\n* Soup\n",
    "",
  ];
  for (const source of sources) assert.equal(written(parsed(source)), source);
});

test("names in quotes and spoilers become references", () => {
  const source =
    "@_**Ada|11** [said](#narrow/channel/21/topic/a/near/1):\n```quote\n@**Ada**\n```\n````spoiler x\n```py\n@**Ada**\n```\n@**Ada**\n````\n";
  assert.deepEqual(
    parsed(source).filter((part) => typeof part === "object"),
    [{ person: "11", silent: true }, { message: "1", place: "21", label: "said" }, { person: "11" }, { person: "11" }],
  );
});

const pieces = "@** ** @_** #** ` ``` \n [ ]( ) ~~~ /user_uploads/ https:// #narrow/ > | *".split(" ");
const texts = fc.array(fc.oneof(fc.constantFrom(" ", ...pieces), fc.string()), { maxLength: 40 });

test("reads all texts without losses", () => {
  const nothing = () => undefined;
  const none = {
    person: nothing,
    personName: nothing,
    channel: nothing,
    channelName: nothing,
    conversation: nothing,
    file: nothing,
  };
  fc.assert(
    fc.property(texts, (parts) => {
      const source = parts.join("");
      parsed(source);
      const text = parseText(source, none);
      if (text.every((part) => typeof part === "string")) assert.equal(text.join(""), source);
    }),
  );
});

test("long runs of marks are read", () => {
  for (const piece of [...pieces, "[a", "@*a", "`a``"]) {
    const source = piece.repeat(20_000);
    assert.ok(written(parsed(source)).length >= source.length / 2, piece);
  }
});
