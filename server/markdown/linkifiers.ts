import { createRequire } from "node:module";
import type { RE2JS as Re2 } from "re2js";
import { isSafeLink } from "./urls.ts";

// Loaded with the first linkifier, since many organizations have none.
const load = createRequire(import.meta.url);

export interface Linkifier {
  readonly id: number;
  /** A regular expression of RE2 with named groups. */
  readonly pattern: string;
  /** An RFC 6570 template that uses the groups of the pattern. */
  readonly url_template: string;
}

interface CompiledLinkifier {
  readonly id: number;
  readonly expression: Re2;
  readonly groups: readonly string[];
  readonly template: readonly (string | Expression)[];
}

/** Compiled once by `compileLinkifiers`, and used for all texts. */
export type Linkifiers = readonly CompiledLinkifier[];

export interface LinkifiedSpan {
  start: number;
  end: number;
  url: string;
}

/** Of one organization. The lengths are in UTF-16 units (docs/protocol.md#limits). */
export const MAX_LINKIFIERS = 100;
const [MAX_PATTERN_LENGTH, MAX_TEMPLATE_LENGTH] = [500, 1000];

// A pattern matches at word boundaries only, by the same rule as the previews of clients.
const BEFORE = "^|[\\s\\x{0085}'\"(,:<\\[{]";
const AFTER = "$|[^\\pL\\pN]";

const re2 = (): typeof Re2 => (load("re2js") as { RE2JS: typeof Re2 }).RE2JS;
const around = (pattern: string): string =>
  `(?P<hearth_before>${BEFORE})(?P<hearth_match>${pattern})(?P<hearth_after>${AFTER})`;

/** Compiled linkifiers by pattern and template: a change of one does not compile the others again. */
const cache = new Map<string, Omit<CompiledLinkifier, "id">>();
const MAX_CACHED = 2 * MAX_LINKIFIERS;

/** The order is that of precedence. Omits linkifiers that do not compile. */
export function compileLinkifiers(linkifiers: readonly Linkifier[]): Linkifiers {
  return linkifiers.flatMap(({ id, pattern, url_template }) => {
    const key = JSON.stringify([pattern, url_template]);
    let compiled = cache.get(key);
    if (!compiled) {
      const made = compileLinkifier(pattern, url_template);
      if (typeof made === "string") return [];
      if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string);
      compiled = made;
    }
    cache.delete(key);
    cache.set(key, compiled);
    return [{ id, ...compiled }];
  });
}

const namesOfGroups = (expression: Re2): string[] => Object.keys(expression.namedGroups());

/** A sentence about what is wrong with a linkifier; undefined if it is valid. */
export function linkifierProblem(pattern: string, urlTemplate: string): string | undefined {
  const compiled = compileLinkifier(pattern, urlTemplate);
  return typeof compiled === "string" ? compiled : undefined;
}

/** The linkifier without its id, or a sentence about what is wrong with it. */
function compileLinkifier(pattern: string, urlTemplate: string): Omit<CompiledLinkifier, "id"> | string {
  if (pattern === "") return "The pattern is empty.";
  if (pattern.length > MAX_PATTERN_LENGTH) return `The pattern is too long: at most ${MAX_PATTERN_LENGTH} characters.`;
  if (urlTemplate.length > MAX_TEMPLATE_LENGTH)
    return `The URL template is too long: at most ${MAX_TEMPLATE_LENGTH} characters.`;
  let [alone, expression]: [Re2?, Re2?] = [];
  try {
    alone = re2().compile(pattern);
    if (alone.programSize() > MAX_SIZE) return "The pattern is too complicated.";
    expression = re2().compile(around(pattern));
  } catch (error) {
    return `Bad regular expression: ${error instanceof Error ? error.message : "unknown error"}`;
  }
  if (alone.matches("")) return "The pattern matches the empty text.";
  const names = namesOfGroups(alone);
  const groups = new Set(names);
  const template = parseTemplate(urlTemplate);
  if (!template) return "Invalid URL template.";
  const variables = new Set(
    template.flatMap((part) => (typeof part === "string" ? [] : part.variables.map(({ name }) => name))),
  );
  const [missing] = [...variables].filter((name) => !groups.has(name));
  if (missing !== undefined) return `Group '${missing}' in URL template is not present in linkifier pattern.`;
  const [unused] = [...groups].filter((name) => !variables.has(name));
  if (unused !== undefined) return `Group '${unused}' in linkifier pattern is not present in URL template.`;
  const example = expand(template, (name) => (groups.has(name) ? "1" : undefined));
  return isSafeLink(example) ? { expression, groups: names, template } : "The URL template must lead to a web address.";
}

/**
 * RE2 takes linear time, but a match costs its length times the pattern's size, about 50 ns for each step. When the
 * budget of a message is used up, the rest of it stays text.
 */
export interface LinkifierBudget {
  steps: number;
}
export const newLinkifierBudget = (): LinkifierBudget => ({ steps: 400_000 });
const [STEPS_PER_MATCH, SCANNED_PER_STEP] = [400, 16];
/** In instructions of a compiled pattern. */
const MAX_SIZE = 300;

/** The matches of linkifiers in text order. Of overlapping matches the first stays; precedence decides equal starts. */
export function linkified(
  text: string,
  linkifiers: Linkifiers,
  budget: LinkifierBudget = newLinkifierBudget(),
): LinkifiedSpan[] {
  const found: LinkifiedSpan[] = [];
  for (const { expression, groups, template } of linkifiers) {
    const size = expression.programSize();
    budget.steps -= (text.length * size) / SCANNED_PER_STEP;
    const matcher = expression.matcher(text);
    let from = 0;
    while (budget.steps > 0 && from <= text.length && matcher.find(from)) {
      budget.steps -= STEPS_PER_MATCH + (matcher.end() - matcher.start()) * size;
      const [start, end] = [matcher.start("hearth_match"), matcher.end("hearth_match")];
      const url = expand(template, (name) => (groups.includes(name) ? (matcher.group(name) ?? undefined) : undefined));
      if (end > start && isSafeLink(url)) found.push({ start, end, url });
      // The character after one match may be the character before the next.
      from = end > from ? end : from + 1;
    }
  }
  return withoutOverlaps(found);
}

/** Of two spans with the same start the earlier one stays. */
export function withoutOverlaps<Span extends { start: number; end: number }>(spans: readonly Span[]): Span[] {
  let end = 0;
  return [...spans]
    .sort((a, b) => a.start - b.start)
    .filter((span) => {
      if (span.start < end) return false;
      end = span.end;
      return true;
    });
}

interface Variable {
  readonly name: string;
  /** The number of characters in `{name:3}`. */
  readonly prefix: number | undefined;
}

interface Expression {
  readonly operator: string;
  readonly variables: readonly Variable[];
}

/** How each operator of RFC 6570 joins its values; `named` writes name=value. `+` and `#` keep reserved characters. */
const OPERATORS: Record<string, { first: string; between: string; named?: "=" | ""; reserved?: true }> = {
  "": { first: "", between: "," },
  "+": { first: "", between: ",", reserved: true },
  "#": { first: "#", between: ",", reserved: true },
  ".": { first: ".", between: "." },
  "/": { first: "/", between: "/" },
  ";": { first: ";", between: ";", named: "" },
  "?": { first: "?", between: "&", named: "=" },
  "&": { first: "&", between: "&", named: "=" },
};
const VARIABLE = /^((?:\w|%[0-9a-f]{2})(?:\.?(?:\w|%[0-9a-f]{2}))*)(?::([1-9]\d{0,3})|\*)?$/i;

/** Literal text and expressions; undefined if the template is malformed. */
function parseTemplate(template: string): (string | Expression)[] | undefined {
  const parts: (string | Expression)[] = [];
  for (const part of template.split(/(\{[^{}]*\})/)) {
    if (!part.startsWith("{") || !part.endsWith("}")) {
      if (/[{}]/.test(part)) return undefined;
      if (part !== "") parts.push(part);
      continue;
    }
    const operator = /^[+#./;?&]/.exec(part.slice(1))?.[0] ?? "";
    const variables: Variable[] = [];
    for (const written of part.slice(1 + operator.length, -1).split(",")) {
      const match = VARIABLE.exec(written);
      if (!match) return undefined;
      variables.push({ name: match[1] as string, prefix: match[2] === undefined ? undefined : Number(match[2]) });
    }
    parts.push({ operator, variables });
  }
  return parts;
}

const percentEncoded = (character: string): string =>
  [...Buffer.from(character, "utf8")].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

const encodeUnreserved = (text: string): string => text.replace(/[^A-Za-z0-9\-._~]/gu, percentEncoded);
const encodeReserved = (text: string): string =>
  text.replace(/%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]/gu, (part) =>
    part.length === 3 && part.startsWith("%") ? part : percentEncoded(part),
  );

/** Expands RFC 6570 with text values (3.2.1: without lists and maps, `*` has no effect). */
function expand(template: readonly (string | Expression)[], value: (name: string) => string | undefined): string {
  const parts = template.map((part) => {
    if (typeof part === "string") return encodeReserved(part);
    const { first, between, named, reserved } = OPERATORS[part.operator] as (typeof OPERATORS)[string];
    const values = part.variables.flatMap(({ name, prefix }) => {
      const full = value(name);
      if (full === undefined) return [];
      const text = prefix === undefined ? full : [...full].slice(0, prefix).join("");
      const encoded = reserved ? encodeReserved(text) : encodeUnreserved(text);
      if (named === undefined) return [encoded];
      return [encoded === "" ? `${name}${named}` : `${name}=${encoded}`];
    });
    return values.length === 0 ? "" : first + values.join(between);
  });
  return parts.join("");
}

/** For tests with the examples of RFC 6570. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string | undefined {
  const parts = parseTemplate(template);
  return parts && expand(parts, (name) => values[name]);
}
