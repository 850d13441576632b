import { createRequire } from "node:module";
import type { HLJSApi, LanguageFn } from "highlight.js";
import { escapeHtml } from "./plain.ts";

// highlight.js and its languages are loaded with the first code in them, to save the memory of idle servers.
const load = createRequire(import.meta.url);

/** Longer code is not highlighted, to bound the work. */
const MAX_HIGHLIGHTED = 20_000;
/**
 * Input for which some grammars take quadratic time: endless lines, names, spaces, words without punctuation. It is
 * not highlighted.
 */
const ENDLESS = /[^\n]{600}|\w{80}|\s{80}|[\w\s]{400}/;
/** Text that repeats a few characters this often is not highlighted either. */
const [MAX_PERIOD, MAX_REPEATED] = [16, 200];

function isRepetitive(text: string): boolean {
  for (let period = 1; period <= MAX_PERIOD; period++) {
    let run = 0;
    for (let index = period; index < text.length; index++) {
      run = text.charCodeAt(index) === text.charCodeAt(index - period) ? run + 1 : 0;
      if (run >= MAX_REPEATED) return true;
    }
  }
  return false;
}

const isHighlightable = (text: string): boolean =>
  text.length <= MAX_HIGHLIGHTED && !ENDLESS.test(text) && !isRepetitive(text.replaceAll("\n", ""));

/** In each line: the module of highlight.js, the name that clients show, the names that people write. */
const LANGUAGES = `
bash|Bash|sh shell bash zsh ksh
c|C|c h
cpp|C++|cpp c++ cc hpp cxx
csharp|C#|csharp c# cs
css|CSS|css
clojure|Clojure|clojure clj
cmake|CMake|cmake
coffeescript|CoffeeScript|coffeescript coffee
dart|Dart|dart
diff|Diff|diff patch udiff
django|Django/Jinja|django jinja jinja2
dockerfile|Docker|docker dockerfile
elixir|Elixir|elixir ex exs
elm|Elm|elm
erlang|Erlang|erlang erl
fsharp|F#|fsharp f#
go|Go|go golang
gradle|Gradle|gradle
graphql|GraphQL|graphql gql
groovy|Groovy|groovy
handlebars|Handlebars|handlebars hbs
haskell|Haskell|haskell hs
http|HTTP|http
ini|INI|ini cfg dosini properties
toml:ini|TOML|toml
java|Java|java
javascript|JavaScript|javascript js jsx mjs cjs node
json|JSON|json json5 jsonc
julia|Julia|julia jl
kotlin|Kotlin|kotlin kt kts
less|LessCss|less
lisp|Common Lisp|lisp common-lisp cl
lua|Lua|lua
makefile|Makefile|makefile make mf
markdown|Markdown|markdown md
matlab|Matlab|matlab
nginx|Nginx configuration file|nginx nginxconf
nix|Nix|nix nixos
objectivec|Objective-C|objectivec objective-c objc obj-c
ocaml|OCaml|ocaml ml
perl|Perl|perl pl
php|PHP|php
powershell|PowerShell|powershell pwsh ps1 posh
protobuf|Protocol Buffer|protobuf proto
python|Python|python py py3 python3 sage
python2:python|Python 2.x|python2 py2
python-repl|Python console session|pycon python-repl
r|R|r rlang s splus
ruby|Ruby|ruby rb
rust|Rust|rust rs
scala|Scala|scala
scheme|Scheme|scheme scm
scss|SCSS|scss
shell|Bash Session|console shell-session
sql|SQL|sql
pgsql|PostgreSQL SQL dialect|postgresql postgres pgsql
swift|Swift|swift
tcl|Tcl|tcl
latex|TeX|latex tex
twig|Twig|twig
typescript|TypeScript|typescript ts tsx
vim|VimL|vim viml
xml|HTML|html
xml:xml|XML|xml svg rss xsd xsl
yaml|YAML|yaml yml
`;

interface Language {
  /** The module of highlight.js. */
  readonly module: string;
  /** The name in `data-code-language`. */
  readonly label: string;
}

const languages = new Map<string, Language>();
for (const row of LANGUAGES.trim().split("\n")) {
  const [module = "", label = "", names = ""] = row.split("|");
  for (const name of names.split(" ")) languages.set(name, { module: module.replace(/^.*:/, ""), label });
}
/** Names for code without a language. */
const PLAIN = new Set(["text", "plain", "plaintext", "none", "txt"]);

/**
 * Maps the scopes of highlight.js to the short classes of Pygments that clients know. Clients show no code at all for
 * an unknown class, so scopes without a counterpart get no class.
 */
const CLASSES: Record<string, string> = {
  keyword: "k",
  built_in: "nb",
  type: "kt",
  literal: "kc",
  number: "m",
  operator: "o",
  punctuation: "p",
  property: "na",
  regexp: "sr",
  string: "s",
  "char.escape": "se",
  subst: "si",
  symbol: "ss",
  class: "nc",
  function: "nf",
  variable: "nv",
  "variable.language": "bp",
  "variable.constant": "no",
  title: "nf",
  "title.class": "nc",
  "title.class.inherited": "nc",
  "title.function": "nf",
  "title.function.invoke": "nf",
  params: "n",
  comment: "c1",
  doctag: "sd",
  meta: "cp",
  "meta.prompt": "gp",
  section: "gh",
  tag: "nt",
  name: "nt",
  attr: "na",
  attribute: "na",
  bullet: "kd",
  code: "sb",
  emphasis: "ge",
  strong: "gs",
  formula: "s",
  link: "s",
  quote: "c1",
  "selector-tag": "nt",
  "selector-id": "nn",
  "selector-class": "nc",
  "selector-attr": "na",
  "selector-pseudo": "nd",
  "template-tag": "cp",
  "template-variable": "nv",
  addition: "gi",
  deletion: "gd",
};

/** The internal tree of highlight.js; its shape is documented for emitters only. */
interface ScopeNode {
  scope?: string;
  children: readonly (ScopeNode | string)[];
}

/** The languages that can be embedded in a language. */
const EMBEDDED: Record<string, readonly string[]> = {
  xml: ["css", "javascript"],
  django: ["xml"],
  handlebars: ["xml"],
  twig: ["xml"],
  markdown: ["xml"],
  coffeescript: ["javascript"],
  "python-repl": ["python"],
  shell: ["bash"],
  dockerfile: ["bash"],
};

/**
 * One instance for each language: in a shared instance the highlighting of embedded code would depend on the languages
 * rendered before, and the same text would give different HTML.
 */
const highlighters = new Map<string, HLJSApi>();

function highlighterFor(module: string): HLJSApi {
  const cached = highlighters.get(module);
  if (cached) return cached;
  const highlighter = (load("highlight.js/lib/core") as HLJSApi).newInstance();
  // An error in a grammar costs the highlighting only.
  highlighter.safeMode();
  for (const name of [module, ...(EMBEDDED[module] ?? [])]) {
    highlighter.registerLanguage(name, load(`highlight.js/lib/languages/${name}`) as LanguageFn);
  }
  highlighters.set(module, highlighter);
  return highlighter;
}

function scopesOf(text: string, module: string): ScopeNode {
  const result = highlighterFor(module).highlight(text, { language: module, ignoreIllegals: true });
  return (result._emitter as unknown as { rootNode: ScopeNode }).rootNode;
}

function classOf(scope: string, text: string): string | undefined {
  if (scope === "number") {
    if (/^0x/i.test(text)) return "mh";
    if (/^0b/i.test(text)) return "mb";
    if (/^0o/i.test(text)) return "mo";
    return /^[0-9_]+[a-z]?$/i.test(text) ? "mi" : "mf";
  }
  if (scope === "comment" && (text.startsWith("/*") || text.startsWith("<!--"))) return "cm";
  return CLASSES[scope] ?? CLASSES[scope.replace(/\..*$/, "")];
}

/** Clients expect flat spans, so each text gets the class of its innermost scope. */
function flatten(node: ScopeNode, outer: string | undefined): string {
  let html = "";
  for (const child of node.children) {
    if (typeof child !== "string") html += flatten(child, child.scope ?? outer);
    else if (child !== "") {
      const text = escapeHtml(child);
      const className = outer && child.trim() !== "" ? classOf(outer, child) : undefined;
      html += className ? `<span class="${className}">${text}</span>` : text;
    }
  }
  return html;
}

const highlighted = (text: string, module: string): string => flatten(scopesOf(text, module), undefined);

/** A first line that names the language: `#!/usr/bin/env python`, or only that: `#!python`, `:::python`. */
const LANGUAGE_LINE = /^(?:#!|::+)((?:\/\w+)*[/ ])?([\w#.+-]+)[^\S\n]*(hl_lines=(?:"[^"\n]*"|'[^'\n]*'))?(?=(\n|$)|)/;

/** The language that the first line of the code names, and the code. A first line with a path stays part of it. */
function languageInside(text: string): { name: string; text: string } | undefined {
  const [line, path, name = "", , end] = LANGUAGE_LINE.exec(text) ?? [];
  if (line === undefined || !isKnownLanguage(name)) return undefined;
  if (path !== undefined) return { name, text };
  // Otherwise the text after the language would be lost.
  return end === undefined ? undefined : { name, text: text.slice(line.length).replace(/^\n+/, "") };
}

/** A language takes 5 to 20 ms the first time; code in further ones is not highlighted. */
const MAX_LANGUAGES = 3;

function isOneOf(languages: Set<string>, module: string): boolean {
  if (languages.size < MAX_LANGUAGES) languages.add(module);
  return languages.has(module);
}

/**
 * A block of code as clients expect it. `written` is the language in the message, `fallback` the organization's
 * default. `highlightedBefore`: languages of highlighted code in the same message, to which this block's is added.
 */
export function renderCode(
  source: string,
  written: string,
  fallback: string,
  highlightedBefore: Set<string> = new Set(),
): string {
  const name = written || fallback;
  const code = `${source
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd()}\n`;
  const inside = name === "" ? languageInside(code) : undefined;
  const language = languages.get((inside?.name ?? name).toLowerCase());
  // Clients show the name only if the message has it outside of the code.
  const label = inside ? "" : (language?.label ?? (PLAIN.has(name.toLowerCase()) ? "Text only" : name));
  const text = inside?.text ?? code;
  const html =
    language && isHighlightable(text) && isOneOf(highlightedBefore, language.module)
      ? highlighted(text, language.module)
      : escapeHtml(text);
  const attribute = label === "" ? "" : ` data-code-language="${escapeHtml(label)}"`;
  return `<div class="codehilite"${attribute}><pre><span></span><code>${html}</code></pre></div>`;
}

/** All language names, for tests of every grammar. */
export const highlightedLanguages = (): string[] => [...languages.keys()];

/** Whether it names a language, or code without a language. */
export const isKnownLanguage = (name: string): boolean =>
  languages.has(name.toLowerCase()) || PLAIN.has(name.toLowerCase());
