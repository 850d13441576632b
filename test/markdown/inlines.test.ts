import assert from "node:assert/strict";
import test from "node:test";
import { linksInTopic } from "../../server/markdown/render.ts";
import { readTime } from "../../server/markdown/times.ts";
import { html, render } from "./examples.ts";

const p = (inner: string) => `<p>${inner}</p>`;

test("stars make emphasis, underscores and backslashes stay text", () => {
  assert.equal(html("*a* **b** c*d*e"), p("<em>a</em> <strong>b</strong> c<em>d</em>e"));
  assert.equal(html("***a*** *a **b***"), p("<strong><em>a</em></strong> <em>a <strong>b</strong></em>"));
  assert.equal(html("**中文。**中文"), p("<strong>中文。</strong>中文"));
  assert.equal(html("**a\nb** *c*"), p("**a<br>\nb** <em>c</em>"));
  assert.equal(html("_a_ __b__ c:\\d \\*e\\*"), p("_a_ __b__ c:\\d \\<em>e\\</em>"));
  assert.equal(html("const char *x = (char *)y"), p("const char *x = (char *)y"));
  assert.equal(html("~~a~~ ~~ b ~~ ~~~c~~~ ~~d\ne~~"), p("<del>a</del> <del> b </del> ~~~c~~~ ~~d<br>\ne~~"));
});

test("inline code preserves its contents and spaces", () => {
  assert.equal(html("` a ` ``b`c`` `d"), p("<code> a </code> <code>b`c</code> `d"));
  assert.equal(
    html("`**a** :smile: $$x$$ @**Iago** #1 a.com`"),
    p("<code>**a** :smile: $$x$$ @**Iago** #1 a.com</code>"),
  );
  assert.equal(
    html("[`a` b](https://e.example) `c`"),
    p('<a href="https://e.example"><code>a</code> b</a> <code>c</code>'),
  );
});

test("URLs and email addresses become links, with a scheme or without", () => {
  const link = (href: string, text = href) => `<a href="${href}">${text}</a>`;
  assert.equal(
    html("see https://e.example/a_(b)?c=d&e, ok"),
    p(`see ${link("https://e.example/a_(b)?c=d&amp;e")}, ok`),
  );
  assert.equal(
    html("example.com t.co/x"),
    p(`${link("http://example.com", "example.com")} ${link("http://t.co/x", "t.co/x")}`),
  );
  assert.equal(html("a@b.com"), p(link("mailto:a@b.com", "a@b.com")));
  assert.equal(
    html("readme.md views.py love...it a.commandstuff()"),
    p("readme.md views.py love...it a.commandstuff()"),
  );
  assert.equal(
    html("[a](b.com) [](https://c.com) [ ](https://c.com)"),
    p(`${link("http://b.com", "a")} ${link("https://c.com")} ${link("https://c.com")}`),
  );
  assert.equal(html("[*a*]() [](<>)"), p("[<em>a</em>]() [](&lt;&gt;)"));
  assert.equal(
    html('[call](tel:+1415) [x](https://e.example "t")'),
    p(`${link("tel:+1415", "call")} <a href="https://e.example" title="t">x</a>`),
  );
});

test("links within the organization become relative and mark messages", () => {
  const own = "http://chat.example:9991";
  assert.equal(html(`[x](${own}/#narrow/channel/9-a)`), p('<a href="#narrow/channel/9-a">x</a>'));
  assert.equal(
    html(`${own}/#narrow/channel/9-a/topic/b/near/5`),
    p(
      `<a class="message-link" href="#narrow/channel/9-a/topic/b/near/5">${own}/#narrow/channel/9-a/topic/b/near/5</a>`,
    ),
  );
  const upload = render(`[x.png](/user_uploads/2/ab/x.png) ${own}/user_uploads/2/ab/y.txt`);
  assert.deepEqual(upload.links, ["/user_uploads/2/ab/x.png", "/user_uploads/2/ab/y.txt"]);
  assert.deepEqual([upload.hasLink, upload.hasImage, upload.hasAttachment], [true, true, true]);
  const plain = render("no link, #**announce**");
  assert.deepEqual([plain.hasLink, plain.hasImage, plain.hasAttachment], [false, false, false]);
});

test("URLs are linked as they were typed", () => {
  for (const url of [
    "https://user:pass@example.com/x",
    "https://user@host.example",
    "https://user:p@ss!*$@host.example:8080/?a=b@c",
    `https://oauth2:${"t".repeat(90)}@git.example/a/b.git`,
  ]) {
    const link = `<a href="${url}">${url}</a>`;
    assert.equal(html(`(${url}), x`), p(`(${link}), x`));
    assert.equal(html(`~~${url}~~`), p(`<del>${link}</del>`));
    assert.equal(html(`**${url}** ~~x~~`), p(`<strong>${link}</strong> <del>x</del>`));
    assert.equal(html(`~~see ${url}~~y`), p(`<del>see ${link}</del>y`));
  }
  assert.equal(html("~~https://a.example/~b~~"), p('~~<a href="https://a.example/~b">https://a.example/~b</a>~~'));
  const inTopic = linksInTopic("https://me:word@a.example/b", []);
  assert.deepEqual(inTopic, [{ text: "https://me:word@a.example/b", url: "https://me:word@a.example/b" }]);
});

test("channel, topic and message links use the protocol's encoding", () => {
  const base = "/#narrow/channel/9-announce";
  assert.equal(html("#**announce**"), p(`<a class="stream" data-stream-id="9" href="${base}">#announce</a>`));
  assert.equal(
    html("#**announce>updates**"),
    p(`<a class="stream-topic" data-stream-id="9" href="${base}/topic/updates/with/214">#announce &gt; updates</a>`),
  );
  assert.equal(
    html("#**announce>a (b) 50%.**"),
    p(
      `<a class="stream-topic" data-stream-id="9" href="${base}/topic/a.20.28b.29.2050.25.2E">#announce &gt; a (b) 50%.</a>`,
    ),
  );
  assert.equal(
    html("#**announce>updates@77**"),
    p(`<a class="message-link" href="${base}/topic/updates/near/77">#announce &gt; updates @ 💬</a>`),
  );
  assert.equal(
    html("#**announce>**"),
    p(
      `<a class="stream-topic" data-stream-id="9" href="${base}/topic//with/214">#announce &gt; <em>general chat</em></a>`,
    ),
  );
  assert.match(
    html("#**R & D (new).v2**"),
    /href="\/#narrow\/channel\/4-R-\.26-D-\.28new\.29\.2Ev2">#R &amp; D \(new\)\.v2</,
  );
  assert.equal(html("#**unknown** x#**announce**"), p("#<strong>unknown</strong> x#<strong>announce</strong>"));
  assert.equal(
    html("[#**announce**](https://e.example)"),
    p('<a href="https://e.example">#<strong>announce</strong></a>'),
  );
});

test("names have characters of the syntax as references", () => {
  const link = (text: string) => /href="([^"]*)".*>([^<]*)<\/a>/.exec(html(text))?.slice(1);
  const topic = "/#narrow/channel/9-announce/topic";
  assert.deepEqual(link("#**announce>&#42;&#42;b&#42;&#42;**"), [`${topic}/.2A.2Ab.2A.2A`, "#announce &gt; **b**"]);
  assert.deepEqual(link("#**announce>at&#64;5**"), [`${topic}/at.405`, "#announce &gt; at@5"]);
  assert.deepEqual(link("#**announce>&#38;#42;**"), [`${topic}/.26.2342.3B`, "#announce &gt; &amp;#42;"]);
});

test("times are rendered in UTC, invalid ones say so", () => {
  const time = (datetime: string, text: string) => p(`<time datetime="${datetime}">${text}</time>`);
  for (const [written, datetime] of [
    ["2026-11-21T16:00:00Z", "2026-11-21T16:00:00Z"],
    ["2026-11-21T16:00:00+05:30", "2026-11-21T10:30:00Z"],
    ["2026-11-21 16:00", "2026-11-21T16:00:00Z"],
    ["1496701800", "2017-06-05T22:30:00Z"],
    ["Jun 5th 2017, 10:30PM", "2017-06-05T22:30:00Z"],
    ["31 Dec 2017", "2017-12-31T00:00:00Z"],
    ["31 Dec 2017 5:30 am IST", "2017-12-31T00:00:00Z"],
    ["Sat, 21 November 2026 16:00 GMT-2", "2026-11-21T18:00:00Z"],
  ]) {
    assert.equal(html(`<time:${written}>`), time(datetime!, written!));
  }
  for (const written of ["soon", "2026-02-30", "2026-11-21T25:00", "", "**x**"]) {
    assert.match(html(`<time:${written}>`), /^<p><span class="timestamp-error">Invalid time format: /, written);
  }
});

test("times are read in every form of the public server", () => {
  const forms = (day: string, clock: string) => [`${day} ${clock}`, `${clock} ${day}`, `${day}, ${clock}`];
  const days =
    "2026/06/05|2026.6.5|6/5/2026|06-05-26|05.Jun.2026|Jun 5 '26|2026 June 5th|5th of June, 2026|Friday 6/5/2026";
  for (const day of days.split("|"))
    for (const clock of ["16:00", "4pm", "4 P.M.", "16h00", "16:00:00.5 UTC", "11:00 EST", "21:30+0530"])
      for (const written of forms(day, clock)) assert.equal(readTime(written), "2026-06-05T16:00:00Z", written);
  for (const written of ["20260605T1600Z", "202606051600", "2026-06-05T16", "Fri Jun  5 16:00:00 UTC 2026"])
    assert.equal(readTime(written), "2026-06-05T16:00:00Z", written);
  for (const [zone, utc] of Object.entries({
    AKDT: "20:00",
    NST: "15:30",
    SAST: "10:00",
    ACDT: "01:30",
    NZST: "00:00",
  }))
    assert.equal(readTime(`2026-06-05 12:00 ${zone}`), `2026-06-05T${utc}:00Z`, zone);
  assert.equal(readTime("31/12/75"), "2075-12-31T00:00:00Z");
  // Parts that the clock would have to add, and unknown words.
  for (const written of ["5 June", "June 2026", "16:00", "2026-06-05 16:00 XYZ", "13/31/2026", "1 2 3 4", "5/2026/6"])
    assert.equal(readTime(written), undefined, written);
});

test("double dollars make formulas, single ones stay text", () => {
  assert.match(html("$$x^2$$"), /^<p><span class="katex"><span class="katex-mathml"><math xmlns="[^"]+"><semantics>/);
  for (const text of ["$5 to $20", "$$_$$", "$$$ or $$$$", "$foo$$", "a$$b$$", "$$x\ny$$"]) {
    assert.doesNotMatch(html(text), /katex|tex-error/, text);
  }
  assert.equal(html("$$\\error{**a**}$$"), p('<span class="tex-error">$$\\error{**a**}$$</span>'));
  const many = html("$$x$$ ".repeat(500));
  assert.ok(many.endsWith("$$x$$</p>"), "formulas beyond the limit stay text");
});

test("/me makes a status message", () => {
  assert.ok(render("/me waves").isMeMessage);
  assert.equal(html("/me waves"), p("/me waves"));
  assert.ok(!render("/me waves\nbye").isMeMessage);
});

test("alert words match whole words case-insensitively outside code", () => {
  assert.deepEqual(render("It is TEA  *time*").alertWords, ["tea time"]);
  assert.deepEqual(render("coffees `coffee`").alertWords, ["Coffee"]);
  assert.deepEqual(render("UBER").alertWords, ["über"]);
  assert.deepEqual(render("```\ncoffee\n```").alertWords, []);
});
