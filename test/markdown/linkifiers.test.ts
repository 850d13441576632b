import assert from "node:assert/strict";
import test from "node:test";
import { compileLinkifiers, linkifierProblem } from "../../server/markdown/linkifiers.ts";
import { linksInTopic, renderMarkdown } from "../../server/markdown/render.ts";
import { expandTemplate } from "../../server/markdown/urls.ts";

const NUMBERED = { id: 1, pattern: "#(?P<id>[0-9]+)", url_template: "https://tracker.example/{id}" };
const linkify = (text: string, ...more: { pattern: string; url_template: string }[]) => {
  const all = [NUMBERED, ...more.map((linkifier, index) => ({ id: index + 2, ...linkifier }))];
  return renderMarkdown(text, { linkifiers: compileLinkifiers(all) }).html;
};
const link = (url: string, text: string) => `<a href="${url}">${text}</a>`;

test("a linkifier links its matches at word boundaries", () => {
  const a = link("https://tracker.example/12", "#12");
  assert.equal(linkify("#12 (#12), #12."), `<p>${a} (${a}), ${a}.</p>`);
  assert.equal(linkify("x#12 #12x"), "<p>x#12 #12x</p>");
  assert.equal(
    linkify("**#12** `#12` [#12](https://e.example)"),
    `<p><strong>${a}</strong> <code>#12</code> ${link("https://e.example", "#12")}</p>`,
  );
  assert.equal(linkify("https://e.example/#12"), `<p>${link("https://e.example/#12", "https://e.example/#12")}</p>`);
});

test("the earlier linkifier wins among overlapping matches", () => {
  const longer = { pattern: "(?P<repo>[a-z]+)#(?P<id>[0-9]+)", url_template: "https://code.example/{repo}/{id}" };
  assert.equal(linkify("hearth#12", longer), `<p>${link("https://code.example/hearth/12", "hearth#12")}</p>`);
  const around = { pattern: "see #(?P<id>[0-9]+) now", url_template: "https://other.example/{id}" };
  assert.equal(linkify("see #1 now", around), `<p>see ${link("https://tracker.example/1", "#1")} now</p>`);
  const url = { pattern: "at (?P<at>\\S+)", url_template: "https://other.example/{at}" };
  assert.equal(linkify("at https://e.example", url), `<p>at ${link("https://e.example", "https://e.example")}</p>`);
  assert.deepEqual(linksInTopic("at https://e.example", compileLinkifiers([{ id: 1, ...url }])), [
    { text: "at https://e.example", url: "https://other.example/https%3A%2F%2Fe.example" },
  ]);
  const same = { pattern: "#(?P<id>[0-9]+)", url_template: "https://other.example/{id}" };
  assert.equal(linkify("#1", same), `<p>${link("https://tracker.example/1", "#1")}</p>`);
});

test("topics use the same linkifiers, and URLs in them become links", () => {
  assert.deepEqual(linksInTopic("fix #12, see https://e.example/a?", compileLinkifiers([NUMBERED])), [
    { text: "#12", url: "https://tracker.example/12" },
    { text: "https://e.example/a", url: "https://e.example/a" },
  ]);
  assert.deepEqual(linksInTopic("plain", compileLinkifiers([NUMBERED])), []);
});

test("invalid linkifiers are rejected", () => {
  const problem = (pattern: string, template: string) => {
    const found = linkifierProblem(pattern, template);
    return found && [found.about, found.problem.reason, found.problem.params["group"]];
  };
  assert.equal(problem(NUMBERED.pattern, NUMBERED.url_template), undefined);
  for (const [pattern, template, ...expected] of [
    ["#(?P<id>[0-9]+", "https://e.example/{id}", "pattern", "invalid_regular_expression"],
    ["(?P<id>a)(?=b)", "https://e.example/{id}", "pattern", "invalid_regular_expression"],
    ["(?P<id>a)", "https://e.example/{other}", "url_template", "group_not_in_pattern", "other"],
    ["(?P<id>a)(?P<more>b)", "https://e.example/{id}", "pattern", "group_not_in_template", "more"],
    ["(?P<id>a)", "https://e.example/{id", "url_template", "url_template_invalid"],
    ["(?P<id>a)", "javascript:alert({id})", "url_template", "url_template_not_web"],
    ["(?P<id>\\S+)", "{+id}", "url_template", "url_template_not_web"],
    ["(?P<id>a*)", "https://e.example/{id}", "pattern", "pattern_matches_empty"],
  ] as const)
    assert.deepEqual(problem(pattern, template), [expected[0], expected[1], expected[2]], pattern);
  const large = problem("(?P<id>(?:[a-z]{1,50}x){50})", "https://e.example/{id}");
  assert.match(String(large?.[1]), /pattern_too_complex|invalid_regular_expression/);
});

test("an unusable linkifier does not affect the others", () => {
  assert.match(linkify("#1", { pattern: "(", url_template: "https://e.example" }), /tracker/);
});

test("matches are URL-encoded and cannot redirect the link", () => {
  const any = { pattern: "T-(?P<x>\\S+)", url_template: "https://e.example/{x}" };
  assert.equal(
    linkify('T-"/../<b>', any),
    `<p>${link("https://e.example/%22%2F..%2F%3Cb%3E", "T-&quot;/../&lt;b&gt;")}</p>`,
  );
  const host = { pattern: "T-(?P<x>\\S+)", url_template: "https://{x}/" };
  assert.doesNotMatch(linkify("T-javascript:alert(1)", host), /href="javascript/);
});

test("templates expand according to RFC 6570", () => {
  const values = { var: "value", hello: "Hello World!", path: "/foo/bar", x: "1024", y: "768", empty: "", half: "50%" };
  for (const [template, expanded] of [
    ["{var}", "value"],
    ["{hello}", "Hello%20World%21"],
    ["{half}", "50%25"],
    ["O{empty}X", "OX"],
    ["O{undef}X", "OX"],
    ["{x,y}", "1024,768"],
    ["{x,hello,y}", "1024,Hello%20World%21,768"],
    ["?{x,empty}", "?1024,"],
    ["{var:3}", "val"],
    ["{var:30}", "value"],
    ["{+var}", "value"],
    ["{+hello}", "Hello%20World!"],
    ["{+half}", "50%25"],
    ["{+path}/here", "/foo/bar/here"],
    ["here?ref={+path}", "here?ref=/foo/bar"],
    ["{+path:6}/here", "/foo/b/here"],
    ["{#x,hello,y}", "#1024,Hello%20World!,768"],
    ["{#path,x}/here", "#/foo/bar,1024/here"],
    ["X{.var}", "X.value"],
    ["X{.empty}", "X."],
    ["X{.undef}", "X"],
    ["{/var,x}/here", "/value/1024/here"],
    ["{/var:1,var}", "/v/value"],
    ["{;x,y}", ";x=1024;y=768"],
    ["{;x,y,empty}", ";x=1024;y=768;empty"],
    ["{?x,y}", "?x=1024&y=768"],
    ["{?x,y,empty}", "?x=1024&y=768&empty="],
    ["{&x,y,empty}", "&x=1024&y=768&empty="],
    ["{?undef}", ""],
    ["{var*}", "value"],
  ]) {
    assert.equal(expandTemplate(template!, values), expanded, String(template));
  }
  for (const template of ["{", "}", "{}", "{a b}", "{a:0}", "{a:x}", "{{a}}", "{=a}"]) {
    assert.equal(expandTemplate(template, values), undefined, template);
  }
});

test("pathological patterns are fast, and searches are limited", () => {
  const bad = [
    { pattern: "(?P<id>(a+)+)b", url_template: "https://e.example/{id}" },
    { pattern: "(?P<id>(?:.*x){20})", url_template: "https://e.example/{id}" },
  ];
  const before = process.threadCpuUsage();
  linkify("a".repeat(10_000), ...bad);
  linkify("ax ".repeat(3333), ...bad);
  linkify("#1 ".repeat(3333), ...bad);
  const { user, system } = process.threadCpuUsage(before);
  assert.ok(user + system < 1_000_000);
});
