import assert from "node:assert/strict";
import test from "node:test";
import { isAllowed } from "../../server/markdown/allow-list.ts";
import { highlightMatches, highlightText } from "../../server/markdown/matches.ts";
import { html } from "./examples.ts";

const mark = (text: string) => `<span class="highlight">${text}</span>`;

test("words are marked whole, whatever their case and accents", () => {
  assert.equal(
    highlightMatches("<p>Café CAFÉ cafeteria cafe\u0301</p>", ["cafe"]),
    `<p>${mark("Café")} ${mark("CAFÉ")} cafeteria ${mark("cafe\u0301")}</p>`,
  );
  assert.equal(highlightMatches("<p>Großes ДОМ</p>", ["дом"]), `<p>Großes ${mark("ДОМ")}</p>`);
  assert.equal(highlightMatches("<p>a</p>", []), "<p>a</p>");
  assert.equal(highlightMatches("<p>a</p>", ["", "*", "!!"]), "<p>a</p>");
});

test("rows of words are marked where they stand together, and beginnings where they begin", () => {
  assert.equal(highlightMatches("<p>tea, time; time tea</p>", ["tea time"]), `<p>${mark("tea, time")}; time tea</p>`);
  assert.equal(highlightMatches("<p>cafeteria cafe</p>", ["caf*"]), `<p>${mark("cafeteria")} ${mark("cafe")}</p>`);
  assert.equal(highlightMatches("<p>tea timely tea</p>", ["tea tim*"]), `<p>${mark("tea timely")} tea</p>`);
});

test("a row across elements is marked in each", () => {
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

test("marks that overlap become one, and the rest of the page stays allowed", () => {
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

test("a topic is escaped, and marked", () => {
  assert.equal(highlightText("<b> R&D", ["b"]), `&lt;${mark("b")}&gt; R&amp;D`);
  assert.equal(highlightText("R&D", ["r d"]), mark("R&amp;D"));
  assert.equal(highlightText("<script>", ["none"]), "&lt;script&gt;");
});
