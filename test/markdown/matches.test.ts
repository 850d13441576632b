import assert from "node:assert/strict";
import test from "node:test";
import { isAllowed } from "../../server/markdown/allow-list.ts";
import {
  foldedWords,
  highlightMatches,
  highlightText,
  matchesAt,
  searchTerms,
  searchTermsIn,
  wordsOfHtml,
} from "../../server/markdown/matches.ts";
import { html } from "./examples.ts";

const mark = (text: string) => `<span class="highlight">${text}</span>`;

test("words are highlighted whole, ignoring case and accents", () => {
  assert.equal(
    highlightMatches("<p>Café CAFÉ cafeteria cafe\u0301</p>", ["cafe"]),
    `<p>${mark("Café")} ${mark("CAFÉ")} cafeteria ${mark("cafe\u0301")}</p>`,
  );
  assert.equal(highlightMatches("<p>Großes ДОМ</p>", ["дом"]), `<p>Großes ${mark("ДОМ")}</p>`);
  assert.equal(highlightMatches("<p>a</p>", []), "<p>a</p>");
  assert.equal(highlightMatches("<p>a</p>", ["", "*", "!!"]), "<p>a</p>");
});

test("phrases and prefixes are highlighted where they match", () => {
  assert.equal(highlightMatches("<p>tea, time; time tea</p>", ["tea time"]), `<p>${mark("tea, time")}; time tea</p>`);
  assert.equal(highlightMatches("<p>cafeteria cafe</p>", ["caf*"]), `<p>${mark("cafeteria")} ${mark("cafe")}</p>`);
  assert.equal(highlightMatches("<p>tea timely tea</p>", ["tea tim*"]), `<p>${mark("tea timely")} tea</p>`);
});

test("a phrase across elements is highlighted in each", () => {
  assert.equal(
    highlightMatches("<p>tea <strong>time</strong></p>", ["tea time"]),
    `<p>${mark("tea")} <strong>${mark("time")}</strong></p>`,
  );
});

test("tags, attributes and entities are never touched", () => {
  const link = '<p><a href="https://span.example/class" title="class">p &amp; amp class</a></p>';
  assert.equal(
    highlightMatches(link, ["class", "amp", "href", "p"]),
    `<p><a href="https://span.example/class" title="class">${mark("p")} &amp; ${mark("amp")} ${mark("class")}</a></p>`,
  );
  assert.equal(
    highlightMatches("<p>R&amp;D &lt;b&gt;</p>", ["r d", "b"]),
    `<p>${mark("R&amp;D")} &lt;${mark("b")}&gt;</p>`,
  );
  assert.equal(highlightMatches("<p>a\u0000b &quot;c</p>", ["b"]), `<p>a ${mark("b")} &quot;c</p>`);
});

test("formulas and emoji stay whole", () => {
  for (const text of ["$$x + y$$", ":smile:", ":green_tick:", "```math\nx\n```"]) {
    assert.equal(highlightMatches(html(text), ["x", "y", "smile", "green_tick"]), html(text));
  }
  assert.equal(highlightMatches(html("$$x$$ x"), ["x"]), html("$$x$$ x").replace(/ x<\/p>$/, ` ${mark("x")}</p>`));
});

test("overlapping highlights merge, and the HTML stays allowed", () => {
  assert.equal(highlightMatches("<p>a b c</p>", ["a b", "b c"]), `<p>${mark("a b c")}</p>`);
  assert.ok(
    isAllowed(
      highlightMatches(html("*a* `b` [c](https://e.example) @**Iago** :smile: &lt;"), [
        "a",
        "b",
        "c",
        "iago",
        "lt",
        "smile",
      ]),
    ),
  );
});

test("a topic is escaped and highlighted", () => {
  assert.equal(highlightText("<b> R&D", ["b"]), `&lt;${mark("b")}&gt; R&amp;D`);
  assert.equal(highlightText("R&D", ["r d"]), mark("R&amp;D"));
  assert.equal(highlightText("<script>", ["none"]), "&lt;script&gt;");
});

test("a search parses into words, quoted phrases and prefixes", () => {
  assert.deepEqual(searchTerms('tea  "tea time" te* "tea ti*" "for tw"* R&D'), [
    "tea",
    "tea time",
    "te*",
    "tea ti*",
    "for tw*",
    "R&D",
  ]);
  assert.deepEqual(searchTerms('tea "time'), ["tea", "time"]);
  assert.deepEqual(searchTerms("tea * tea ** !"), ["tea"]);
  assert.deepEqual(searchTerms(' "" * !? '), []);
});

test("scripts without spaces are indexed character by character", () => {
  assert.deepEqual(
    foldedWords("\u6771\u4eac\u3067\u30ab\u30d5\u30a72\u56de"),
    [..."\u6771\u4eac\u3067\u30ab\u30d5\u30a72\u56de"].map((one) => one.normalize("NFD")),
  );
  assert.deepEqual(foldedWords("\u0e01\u0e34\u0e19\u0e02\u0e49\u0e32\u0e27"), [
    "\u0e01\u0e34",
    "\u0e19",
    "\u0e02\u0e49",
    "\u0e32",
    "\u0e27",
  ]);
  assert.deepEqual(
    foldedWords("\ud55c\uad6d Zug42\u99c5"),
    [..."\ud55c\uad6d".normalize("NFC")].map((one) => one.normalize("NFD")).concat("zug42", "\u99c5"),
  );
  assert.deepEqual(foldedWords("\ud55c\uad6d".normalize("NFD")), foldedWords("\ud55c\uad6d"));
  assert.equal(
    highlightMatches("<p>\u6771\u4eac\u90fd\u3078</p>", ["\u4eac\u90fd"]),
    `<p>\u6771${mark("\u4eac\u90fd")}\u3078</p>`,
  );
  assert.equal(highlightMatches("<p>\u90fd\u4eac</p>", ["\u4eac\u90fd"]), "<p>\u90fd\u4eac</p>");
});

test("accents are ignored unless they make another letter", () => {
  assert.deepEqual(
    foldedWords("\u00c9t\u00c9 \u039f\u0394\u039f\u03a3 \u03bf\u03b4\u03cc\u03c2 \u0451\u043b\u043a\u0430"),
    ["ete", "\u03bf\u03b4\u03bf\u03c3", "\u03bf\u03b4\u03bf\u03c3", "\u0435\u043b\u043a\u0430"],
  );
  assert.notDeepEqual(foldedWords("\u304b\u304d"), foldedWords("\u304c\u304e"));
  assert.notDeepEqual(foldedWords("\u0915\u093f"), foldedWords("\u0915\u0941"), "vowels of Devanagari are not accents");
});

test("highlighting matches exactly the words that are indexed", () => {
  const pages = [
    "a **b** c",
    "[tea](https://b.example/tea) `time`",
    ":smile: $$x$$ y",
    "R&D <b>",
    "\u6771\u4eac caf\u00e9",
    "a\n\nb",
    "t**e**a",
  ];
  const terms = [
    "a",
    "b",
    "a b",
    "b c",
    "tea time",
    "tea",
    "ti*",
    "smile",
    "x",
    "y",
    "r d",
    "\u4eac",
    "cafe",
    "cafe*",
    "example",
    "a b c",
    "lt",
  ];
  for (const page of pages.map((text) => html(text))) {
    for (const term of terms) {
      const stands = searchTermsIn([term]).every((sought) => matchesAt(wordsOfHtml(page), sought));
      const isShown = highlightMatches(page, [term]) !== page;
      assert.equal(isShown, stands && term !== "smile", `${term} in ${page}`);
    }
  }
});

test("letters without a decomposition, other forms and invisible characters are folded", () => {
  for (const [written, typed] of [
    ["Łódź źdźbło", "lodz zdzblo"],
    ["Sørensen", "SORENSEN"],
    ["Đức", "duc"],
    ["Hauptstraße STRAẞE", "hauptstrasse strasse"],
    ["cœur Æther þing Ħal", "coeur aether thing hal"],
    ["ılık", "ilik"],
    ["ＡＢＣ １２", "abc 12"],
    ["ｶﾞﾗｽ", "ガラス"],
    ["ﬁle oﬃce ﷲ", "file office الله"],
    ["soft\u00adhyphen zero\u200bwidth \u2060join", "softhyphen zerowidth join"],
    ["محمـــد", "محمد"],
    ["m² ① Ⅳ", "m2 1 iv"],
  ] as const)
    assert.deepEqual(foldedWords(written), foldedWords(typed), written);
  assert.equal(highlightMatches("<p>ein Łódź-Tag</p>", ["lodz"]), `<p>ein ${mark("Łódź")}-Tag</p>`);
});

test("a word may be partly formatted", () => {
  assert.equal(
    highlightMatches(html("an un**believ**able ~~t~~*e*a"), ["unbelievable", "tea"]),
    `<p>an ${mark("un")}<strong>${mark("believ")}</strong>${mark("able")} ` +
      `<del>${mark("t")}</del><em>${mark("e")}</em>${mark("a")}</p>`,
  );
  for (const text of ["a `b` c", "a [b](https://e.example) c", "@**Iago**s", "a\nb", "- a\n- b", "|a|b|\n|-|-|"])
    assert.ok(!wordsOfHtml(html(text)).some((word) => ["abc", "ab", "iagos"].includes(word)), text);
  assert.ok(wordsOfHtml(html("```js\nlet x = 12px;\n```")).includes("12px"));
});

test("emoji are found by character and by name", () => {
  const finds = (term: string, text: string) =>
    searchTermsIn(searchTerms(term)).every((sought) => matchesAt(wordsOfHtml(html(text)), sought));
  for (const text of [":tada:", "🎉", "`🎉`"])
    for (const term of ["🎉", ":tada:", ":tada: 🎉"]) assert.ok(finds(term, text), `${term} in ${text}`);
  for (const term of ["rocket", "ROCK*", ":rocket:", '"now 🚀"']) assert.ok(finds(term, "ship it now :rocket:"), term);
  for (const term of ["👍", ":+1:", ":thumbs_up:"]) assert.ok(finds(term, "👍🏽"), term);
  assert.ok(finds(":green_tick:", ":green_tick:"));
  assert.ok(!finds("1", ":+1:"));
  assert.ok(!finds(":tada:", "tada"));
  assert.ok(finds("ship now", "ship :rocket: now") && finds('"ship now"', "ship :rocket: now"));
});

test("a long repeated phrase is one highlight", () => {
  const text = "a ".repeat(5000).trim();
  assert.equal(
    highlightMatches(`<p>${text}</p>`, [`"${"a ".repeat(500)}"`]),
    `<p><span class="highlight">${text}</span></p>`,
  );
});
