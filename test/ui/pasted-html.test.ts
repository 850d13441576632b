import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { type TestContext, test } from "node:test";
import { renderMarkdown } from "../../server/markdown/render.ts";
import { visit } from "../support/browser.ts";

const MODULE = new URL("../../ui/chat/composer/markdown-of-html.ts", import.meta.url);

/** Converts HTML in a browser, and renders the result. */
async function startConverter(t: TestContext) {
  const { page } = await visit(t, "about:blank");
  const source = stripTypeScriptTypes(readFileSync(MODULE, "utf8"));
  await page.addScriptTag({ type: "module", content: `${source};globalThis.markdownOfHtml = markdownOfHtml;` });
  const markdownOf = (html: string): Promise<string> =>
    page.evaluate((given) => (globalThis as any).markdownOfHtml(given), html);
  const codeOf = async (html: string) => {
    const [, code = ""] = /<code>([\s\S]*?)<\/code>/.exec(renderMarkdown(await markdownOf(html), {}).html) ?? [];
    return code
      .replace(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .trimEnd();
  };
  return { markdownOf, codeOf };
}

test("pasted code keeps its text", async (t) => {
  const { codeOf, markdownOf } = await startConverter(t);
  const lines = "def a():\n    pass\n\n\n\ndef b():\n    pass";
  for (const [html, code] of [
    ["<p>Use</p><pre><code>a\n```\nb\n````\nc</code></pre><p>after</p>", "a\n```\nb\n````\nc"],
    [`<p><b>x</b></p><pre>${lines}</pre>`, lines],
    [`<ul><li>do<ol><li>this<pre>${lines}</pre></li></ol></li></ul>`, lines],
    [`<blockquote><pre>${lines}</pre></blockquote>`, lines],
    ["<pre>a<br>  b<br><br>c</pre>", "a\n  b\n\nc"],
    ["<pre><div>a</div><div>  b</div><div><br></div><div>c</div></pre>", "a\n  b\n\nc"],
    ["<table><tr><td><pre>1\n2</pre></td></tr></table>", "1\n2"],
    ['<p><code style="white-space: pre-wrap">a\n\n\nb</code></p>', "a\n\n\nb"],
    ["<p>run <code>a`b</code> <b>now</b></p>", "a`b"],
    ["<p>run <code>a``b`c</code></p>", "a``b`c"],
    ["<p>run <code>`a</code></p>", " `a"],
    ["<p>run <code>a\n  b</code></p>", "a b"],
    ['<p><a href="https://x.example"><code>a[0</code></a></p>', "a[0"],
  ] as const)
    assert.equal(await codeOf(html), code, `${html} ${await markdownOf(html)}`);
  assert.match(await markdownOf('<pre><code class="language-c++">x</code></pre>'), /^```c\+\+\n/);
  assert.match(await markdownOf('<pre class="language-quote">x</pre>'), /^```\n/);
});

test("pasted lists keep their numbers and nesting", async (t) => {
  const { markdownOf } = await startConverter(t);
  assert.equal(await markdownOf('<ol start="5"><li>e</li><li value="9">i</li><li>j</li></ol>'), "5. e\n9. i\n10. j");
  assert.equal(await markdownOf("<ol><li>a</li></ol>"), "1. a");
  assert.equal(await markdownOf("<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>"), "* a\n  * b\n* c");
});
