import assert from "node:assert/strict";
import test from "node:test";
import { expand, parseTemplate } from "../../server/markdown/urls.ts";
import { playgroundUrl } from "../../ui/admin/pages/playgrounds/playground-url.ts";

test("a playground preview equals the server's link", () => {
  const code = "print('ä & b')!";
  for (const template of [
    "https://play.example.org/?code={code}",
    "https://play.example.org/{?code}",
    "https://play.example.org/?a=1{&code}",
    "https://play.example.org{/code}",
    "https://play.example.org/{#code}",
    "https://play.example.org/x{;code*}{.code:3}",
  ]) {
    const parsed = parseTemplate(template);
    assert.ok(parsed);
    assert.equal(
      playgroundUrl(template, code),
      expand(parsed, () => code),
      template,
    );
  }
  for (const template of ["", "https://play.example.org/", "https://x.org/{other}{code}", "javascript:{code}"])
    assert.equal(playgroundUrl(template, code), undefined, template);
});
