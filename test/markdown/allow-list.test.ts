import assert from "node:assert/strict";
import test from "node:test";
import { isAllowed } from "../../server/markdown/allow-list.ts";
import { html } from "./examples.ts";

test("the renderer's own output is allowed", () => {
  for (const text of [
    '*a* **b** ~~c~~ `d` [e](https://e.example "t")\nf',
    "1. a\n   - b\n\n> c\n\n---\n# d\n\n|a|b|\n|:-|-:|\n|c|d|",
    "```js\nlet a = `1`;\n```\n```spoiler x\ny\n```\n```math\n\\frac{a}{b}\n```",
    "@**Iago** @*support* @**all** @**topic** #**announce>updates@1** :smile: :green_tick: <time:2026-01-01> <time:x>",
  ]) {
    assert.ok(isAllowed(html(text)), text);
  }
});

/** Examples of every part of KaTeX that writes its own elements, attributes or styles. */
const FORMULAS = String.raw`
\frac{a}{b} § \sqrt[3]{x^2} § \begin{pmatrix}a&b\\c&d\end{pmatrix} § \begin{array}{c|c:c}1&2&3\\\hline 4&5&6\end{array}
§ \overbrace{x+y}^{n} § \cancel{x} § \bcancel{y} § \xcancel{z} § \sout{q} § \boxed{E=mc^2} § \fbox{a} § \color{red}{x}
§ \textcolor{#ff0000}{y} § \colorbox{aqua}{z} § \fcolorbox{red}{blue}{z} § \href{javascript:alert(1)}{x} § \url{http://a}
§ \includegraphics{a.png} § \htmlClass{a}{x} § \htmlStyle{color:red}{x} § \htmlData{a=b}{x} § \htmlId{a}{x}
§ \xrightarrow[a]{b} § \vec{x}\hat{y}\widehat{xyz} § \underline{x}\overline{y} § \int_0^\infty e^{-x^2}dx § \sum_{i=1}^n
§ \left(\frac{1}{2}\right] § \Bigg| § \rule{1em}{2em} § \raisebox{1em}{x} § \kern 3em x § \phantom{x}
§ \mathbb{R}\mathfrak{g}\mathcal{L} § \begin{align}a&=b\\c&=d\end{align} § \begin{cases}a\\b\end{cases} § \tag{1} x
§ \underbrace{x}_{y} § \stackrel{a}{b} § \angl{n} § \overset{!}{=} § \binom{n}{k} § \cfrac{1}{1+\cfrac{1}{2}}
§ \widetilde{abc} § \overleftrightarrow{AB} § \utilde{x} § \pmb{x} § \small x \Huge y § \verb|<x>| § \reflectbox{R}
§ \begin{CD}A@>a>>B\\@VbVV@AAcA\\C@=D\end{CD} § \phase{-78^\circ} § \char"263a § 中文 § \rule{999999em}{1em}
§ \mathop{x}\limits_a § \smash{y} § \llap{x}\rlap{y} § \begin{matrix}\end{matrix} § \begin{equation}x\end{equation}
§ x_{y_{z_{w}}} § \oiint § \not= § \lVert x \rVert § \text{<b>"'} § \underbar{x} § \overgroup{ab} § \xleftrightarrow{abc}
§ \begin{alignat}{2}a&=b&c&=d\end{alignat} § \begin{rcases}a\end{rcases} § \genfrac[]{2pt}{0}{a}{b} § \above 3pt x`
  .split("§")
  .map((formula) => formula.trim());

test("formulas of every kind are allowed and drawn", () => {
  let drawn = 0;
  for (const formula of FORMULAS) {
    for (const text of [`$$${formula}$$`, `\`\`\`math\n${formula}\n\`\`\``]) {
      const made = html(text);
      assert.ok(isAllowed(made), text);
      if (made.includes('class="katex')) drawn++;
    }
  }
  // KaTeX rejects the rest, inline or at all. The allow-list rejects nothing.
  assert.ok(drawn > FORMULAS.length * 1.7, `${drawn} of ${FORMULAS.length * 2}`);
});

test("formulas have the class names of KaTeX 0.16", () => {
  const names = new Set<string>();
  for (const formula of FORMULAS) {
    for (const [, written = ""] of html(`$$${formula}$$`).matchAll(/class="([^"]*)"/g))
      for (const name of written.split(" ")) names.add(name);
  }
  for (const known of ["base", "strut", "sizing", "overline", "sqrt", "accent"]) assert.ok(names.has(known), known);
  const prefixed = [...names].filter((name) => /^katex-(?!mathml$|html$|display$)/.test(name));
  assert.deepEqual(prefixed, []);
});

test("everything else is rejected", () => {
  for (const foreign of [
    "<script>alert(1)</script>",
    "<p><script></script></p>",
    '<p onclick="x">a</p>',
    '<p class="x">a</p>',
    '<p id="x">a</p>',
    "<P>a</P>",
    "<p >a</p>",
    "<p>a",
    "a</p>",
    "<p><strong>a</p></strong>",
    "<p/>",
    "<br></br>",
    "a > b",
    "a < b",
    "<",
    "<!-- a -->",
    "<!doctype html>",
    "<?x?>",
    "<p>a</p\n>",
    "<a href='https://e.example'>a</a>",
    "<a href=https://e.example>a</a>",
    '<a href="javascript:alert(1)">a</a>',
    '<a href="java\tscript:alert(1)">a</a>',
    '<a href=" https://e.example">a</a>',
    '<a href="//evil.example">a</a>',
    '<a href="/\\evil.example">a</a>',
    '<a href="data:text/html,x">a</a>',
    '<a href="https://e.example" target="_blank">a</a>',
    '<a href="https://e.example" href="https://f.example">a</a>',
    '<a class="button" href="https://e.example">a</a>',
    '<img alt="x" class="emoji" src="x" onerror="x" title="x">',
    '<img class="emoji" src="javascript:x">',
    '<img class="emoji" src="//evil.example/x.png">',
    '<img class="big" src="/x.png">',
    '<img data-original-dimensions="1x1 onerror" src="/x.png">',
    '<img data-original-content-type="text/html" src="/x.png">',
    '<video src="https://evil.example/x.mp4"></video>',
    '<video autoplay="" src="/user_uploads/x.mp4"></video>',
    '<audio src="//evil.example/x.mp3"></audio>',
    '<audio autoplay="" src="/user_uploads/x.mp3"></audio>',
    '<span style="background:url(//evil.example)">a</span>',
    '<span style="position:fixed;top:0">a</span>',
    '<span style="position:absolute">a</span>',
    '<span style="width:expression(alert(1))">a</span>',
    '<span style="color:red;behavior:url(x)">a</span>',
    '<span style="color:url(x)">a</span>',
    '<span style="height:1em;;color">a</span>',
    '<span class="spoiler-header">a</span>',
    '<span class="user-mention" data-user-id="x">a</span>',
    '<div class="modal">a</div>',
    '<td style="text-align: justify;">a</td>',
    '<ol start="-1"><li>a</li></ol>',
    '<time datetime="now">a</time>',
    '<svg onload="x"></svg>',
    "<svg><script></script></svg>",
    '<svg><use href="x"></use></svg>',
    '<math href="javascript:x"></math>',
    '<mi href="javascript:x">a</mi>',
    '<annotation encoding="text/html">a</annotation>',
    '<math xmlns="http://www.w3.org/1999/xhtml"></math>',
    "<constructor>a</constructor>",
    '<p __proto__="x">a</p>',
    "<iframe></iframe>",
    "<form></form>",
    "<style></style>",
    '<a xlink:href="javascript:x">a</a>',
  ]) {
    assert.ok(!isAllowed(foreign), foreign);
  }
});
