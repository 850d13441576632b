import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { de } from "../../ui/locales/de/all.ts";
import { en } from "../../ui/locales/en.ts";

const ui = fileURLToPath(new URL("../../ui", import.meta.url));
const shared = fileURLToPath(new URL("../../server/locales", import.meta.url));
const sources = [
  ...readdirSync(ui, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/^locales.(?:en|de)\b/.test(path))
    .map((path) => ({ path, text: readFileSync(join(ui, path), "utf8") })),
  ...readdirSync(shared, { encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => ({ path, text: readFileSync(join(shared, path), "utf8") })),
];

interface Node {
  type: string;
  [field: string]: unknown;
}

/** Attributes whose values people read or hear. */
const SPOKEN =
  /^(?:aria-(?:label|description|valuetext|placeholder|roledescription)|title|alt|label|placeholder|description|hint|lead|error)$/;
const isText = (value: unknown): boolean => typeof value === "string" && /\p{Letter}/u.test(value);

/** The visible texts in a file. */
function* literalTexts(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const one of node) yield* literalTexts(one);
  if (typeof node !== "object" || node === null || !("type" in node)) return;
  const { type, ...fields } = node as Node;
  const value = fields["value"] as Node | string | null | undefined;
  if (type === "JSXText" && isText(value)) yield String(value);
  if (type === "JSXExpressionContainer") yield* texts(fields["expression"] as Node);
  if (type === "JSXAttribute") {
    const { name } = fields["name"] as { name: unknown };
    if (!SPOKEN.test(String(name))) {
      // Other attributes contain no text, except in elements inside their value.
      if (typeof value === "object" && value?.type === "JSXExpressionContainer") {
        const { type: inner } = value["expression"] as Node;
        if (inner === "JSXElement" || inner === "ArrowFunctionExpression") yield* literalTexts(value["expression"]);
      }
      return;
    }
    if (value) yield* texts(value as Node);
  }
  for (const field of Object.values(fields)) yield* literalTexts(field);
}

/** The possible string values of an expression. */
function* texts(node: Node): Generator<string> {
  if (node.type === "Literal" && isText(node["value"])) yield String(node["value"]);
  if (node.type === "TemplateLiteral") {
    for (const { value } of node["quasis"] as { value: { cooked: string } }[])
      if (isText(value.cooked)) yield value.cooked;
  }
  if (node.type === "BinaryExpression" && node["operator"] !== "+") return;
  for (const part of ["consequent", "alternate", "left", "right"]) if (node[part]) yield* texts(node[part] as Node);
}

const textsIn = (path: string, text: string): string[] => [
  ...new Set(literalTexts(parseSync(path, text, { lang: "tsx" }).program)),
];

test("no component contains literal text", () => {
  assert.ok(sources.length > 40);
  const found = sources.flatMap(({ path, text }) => textsIn(path, text).map((literal) => `${path}: ${literal.trim()}`));
  assert.deepEqual(found, []);
});

test("the check for literal text covers every syntax", () => {
  const texts = textsIn(
    "x.tsx",
    `const x = <p title={a ? "One" : b}>Two {c && "Three"} {\`Four \${d}\`} <img alt="Five" className="none" /> {e.map(() => <b>Six</b>)}</p>;`,
  );
  assert.deepEqual(texts.map((text) => text.trim()).sort(), ["Five", "Four", "One", "Six", "Three", "Two"]);
});

type Catalogue = { [key: string]: string | Catalogue };
function* keysOf(part: Catalogue, path = ""): Generator<string> {
  for (const [key, value] of Object.entries(part)) {
    if (typeof value === "string") yield `${path}${key}`;
    else yield* keysOf(value, `${path}${key}.`);
  }
}

test("every text of the locale is used", () => {
  // Computed keys end in a variable: t(`scheme.${scheme}`).
  const quoted = sources.flatMap(({ text }) => [...text.matchAll(/["`]([a-z][\w]*(?:\.[\w]+)*\.)(\$\{|[\w]+["`])/gi)]);
  const used = new Set<string>();
  const families = new Set<string>();
  for (const [, start, end] of quoted) {
    if (end === "${") families.add(start as string);
    else used.add(`${start}${end?.slice(0, -1)}`);
  }
  const unused = [...keysOf(en)].filter((key) => {
    const name = key.replace(/_(?:one|other)$/, "").replace(/Keywords$/, "");
    return !used.has(name) && ![...families].some((family) => name.startsWith(family));
  });
  assert.deepEqual(unused, []);
});

test("keywords exist only next to a text", () => {
  const keys = new Set(keysOf(en));
  const alone = [...keys].filter((key) => {
    const [, name] = /^(.+)(?:Keywords|\.keywords)$/.exec(key) ?? [];
    return name !== undefined && !keys.has(name) && !keys.has(`${name}.label`);
  });
  assert.deepEqual(alone, []);
});

test("every plural has both English forms", () => {
  const keys = new Set(keysOf(en));
  const categories = new Intl.PluralRules("en").resolvedOptions().pluralCategories;
  for (const key of keys) {
    const [, name] = /^(.*)_(?:one|other)$/.exec(key) ?? [];
    if (name) for (const category of categories) assert.ok(keys.has(`${name}_${category}`), `${name}_${category}`);
  }
});

/** The placeholders of each text by key. */
function* placeholders(part: Catalogue, path = ""): Generator<[string, string]> {
  for (const [key, value] of Object.entries(part)) {
    if (typeof value !== "string") yield* placeholders(value, `${path}${key}.`);
    else
      yield [
        `${path}${key}`,
        [...value.matchAll(/\{\{.*?\}\}/g)]
          .map(([one]) => one)
          .sort()
          .join(" "),
      ];
  }
}

test("German has every text, with the same placeholders", () => {
  const german = new Map(placeholders(de));
  const english = new Map(placeholders(en));
  assert.deepEqual(
    [...english.keys()].filter((key) => !german.has(key)),
    [],
    "missing in German",
  );
  assert.deepEqual(
    [...german.keys()].filter((key) => !english.has(key)),
    [],
    "in German only",
  );
  for (const [key, wanted] of english) assert.equal(german.get(key), wanted, `placeholders of ${key}`);
});
