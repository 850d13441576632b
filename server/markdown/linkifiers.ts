import { createRequire } from "node:module";
import type { RE2JS as Re2 } from "re2js";
import { isSafeLink } from "./addresses.ts";

// Loaded with the first linkifier: many organizations have none.
const load = createRequire(import.meta.url);

export interface Linkifier {
  readonly id: number;
  /** A pattern as RE2 reads it, with named groups. */
  readonly pattern: string;
  /** An RFC 6570 template over the pattern's groups. */
  readonly url_template: string;
}

interface CompiledLinkifier {
  readonly id: number;
  readonly expression: Re2;
  readonly groups: readonly string[];
  readonly template: readonly (string | Expression)[];
}

/** What `compileLinkifiers` makes once for every text. */
export type Linkifiers = readonly CompiledLinkifier[];

export interface LinkifiedSpan {
  start: number;
  end: number;
  url: string;
}

// A pattern matches where a word could begin and end, as clients that show a preview see it too.
const BEFORE = "^|[\\s\\x{0085}'\"(,:<\\[{]";
const AFTER = "$|[^\\pL\\pN]";

const re2 = (): typeof Re2 => (load("re2js") as { RE2JS: typeof Re2 }).RE2JS;
const around = (pattern: string): string =>
  `(?P<hearth_before>${BEFORE})(?P<hearth_match>${pattern})(?P<hearth_after>${AFTER})`;

/** In the given order, which is the order of precedence. One that cannot be compiled is left out. */
export function compileLinkifiers(linkifiers: readonly Linkifier[]): Linkifiers {
  return linkifiers.flatMap(({ id, pattern, url_template }) => {
    const template = parseTemplate(url_template);
    if (!template || linkifierProblem(pattern, url_template) !== undefined) return [];
    const expression = re2().compile(around(pattern));
    return [{ id, expression, groups: namesOfGroups(re2().compile(pattern)), template }];
  });
}

const namesOfGroups = (expression: Re2): string[] => Object.keys(expression.namedGroups());

/** What is wrong with a linkifier that an administrator wrote, as a sentence; undefined where nothing is. */
export function linkifierProblem(pattern: string, urlTemplate: string): string | undefined {
  if (pattern === "") return "The pattern is empty.";
  let expression: Re2;
  try {
    expression = re2().compile(pattern);
    re2().compile(around(pattern));
  } catch (error) {
    return `Bad regular expression: ${error instanceof Error ? error.message : "unknown error"}`;
  }
  if (expression.programSize() > MAX_SIZE) return "The pattern is too complicated.";
  if (expression.matches("")) return "The pattern matches the empty text.";
  const groups = new Set(namesOfGroups(expression));
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
  return isSafeLink(example) ? undefined : "The URL template must lead to a web address.";
}

/**
 * RE2 takes linear time, but a match costs its length by the pattern's size, about 50 ns each: a message has so much,
 * then what is left of it stays text.
 */
export interface LinkifierBudget {
  steps: number;
}
export const newLinkifierBudget = (): LinkifierBudget => ({ steps: 400_000 });
const [STEPS_OF_A_FIND, SCANNED_IN_A_STEP] = [400, 16];
/** Instructions of a compiled pattern. */
const MAX_SIZE = 300;

/** Where linkifiers match, in order of the text; of two that overlap the one that begins first, or comes first. */
export function linkified(
  text: string,
  linkifiers: Linkifiers,
  budget: LinkifierBudget = newLinkifierBudget(),
): LinkifiedSpan[] {
  const found: LinkifiedSpan[] = [];
  for (const { expression, groups, template } of linkifiers) {
    const size = expression.programSize();
    budget.steps -= (text.length * size) / SCANNED_IN_A_STEP;
    const matcher = expression.matcher(text);
    let from = 0;
    while (budget.steps > 0 && from <= text.length && matcher.find(from)) {
      budget.steps -= STEPS_OF_A_FIND + (matcher.end() - matcher.start()) * size;
      const [start, end] = [matcher.start("hearth_match"), matcher.end("hearth_match")];
      const url = expand(template, (name) => (groups.includes(name) ? (matcher.group(name) ?? undefined) : undefined));
      if (end > start && isSafeLink(url)) found.push({ start, end, url });
      // The character after one match may be the character before the next.
      from = end > from ? end : from + 1;
    }
  }
  return withoutOverlaps(found);
}

/** Stable: of two that begin together the earlier one stays. */
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
  /** `{name:3}`: so many characters of it. */
  readonly prefix: number | undefined;
}

interface Expression {
  readonly operator: string;
  readonly variables: readonly Variable[];
}

/** How each operator of RFC 6570 joins its values; `named`: as name=value. Reserved characters pass `+` and `#`. */
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

/** Literal text and expressions; undefined where the template is not well-formed. */
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

/** RFC 6570 over values that are texts (3.2.1: without lists and maps, `*` changes nothing). */
function expand(template: readonly (string | Expression)[], value: (name: string) => string | undefined): string {
  const parts = template.map((part) => {
    if (typeof part === "string") return encodeReserved(part);
    const { first, between, named, reserved } = OPERATORS[part.operator] as (typeof OPERATORS)[string];
    const values = part.variables.flatMap(({ name, prefix }) => {
      const whole = value(name);
      if (whole === undefined) return [];
      const text = prefix === undefined ? whole : [...whole].slice(0, prefix).join("");
      const encoded = reserved ? encodeReserved(text) : encodeUnreserved(text);
      if (named === undefined) return [encoded];
      return [encoded === "" ? `${name}${named}` : `${name}=${encoded}`];
    });
    return values.length === 0 ? "" : first + values.join(between);
  });
  return parts.join("");
}

/** For tests against RFC 6570's own examples. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string | undefined {
  const parts = parseTemplate(template);
  return parts && expand(parts, (name) => values[name]);
}
