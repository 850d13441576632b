import { createRequire } from "node:module";
import type { RE2JS as Re2 } from "re2js";
import { type Problem, problem } from "../errors.ts";
import { expand, isSafeLink, parseTemplate, type UrlTemplate, variablesIn } from "./urls.ts";

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
  readonly template: UrlTemplate;
}

/** Compiled once by `compileLinkifiers`, and used for all texts. */
export type Linkifiers = readonly CompiledLinkifier[];

export interface LinkifiedSpan {
  start: number;
  end: number;
  url: string;
}

/** Per organization. The lengths are in UTF-16 units (docs/protocol.md#limits). */
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
      if ("problem" in made) return [];
      if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string);
      compiled = made;
    }
    cache.delete(key);
    cache.set(key, compiled);
    return [{ id, ...compiled }];
  });
}

const namesOfGroups = (expression: Re2): string[] => Object.keys(expression.namedGroups());

/** Why a linkifier is invalid, and which part of it. */
export interface LinkifierProblem {
  about: "pattern" | "url_template" | keyof Reversal;
  problem: Problem;
}

/** Undefined if the linkifier is valid. */
export function linkifierProblem(pattern: string, urlTemplate: string): LinkifierProblem | undefined {
  const compiled = compileLinkifier(pattern, urlTemplate);
  return "problem" in compiled ? compiled : undefined;
}

function compileLinkifier(pattern: string, urlTemplate: string): Omit<CompiledLinkifier, "id"> | LinkifierProblem {
  const ofPattern = (problem: Problem): LinkifierProblem => ({ about: "pattern", problem });
  const ofTemplate = (problem: Problem): LinkifierProblem => ({ about: "url_template", problem });
  if (pattern === "") return ofPattern(problem("pattern_empty"));
  if (pattern.length > MAX_PATTERN_LENGTH) return ofPattern(problem("pattern_too_long", { count: MAX_PATTERN_LENGTH }));
  if (urlTemplate.length > MAX_TEMPLATE_LENGTH)
    return ofTemplate(problem("url_template_too_long", { count: MAX_TEMPLATE_LENGTH }));
  let [alone, expression]: [Re2?, Re2?] = [];
  try {
    alone = re2().compile(pattern);
    if (alone.programSize() > MAX_SIZE) return ofPattern(problem("pattern_too_complex"));
    expression = re2().compile(around(pattern));
  } catch (error) {
    return ofPattern(
      problem("invalid_regular_expression", { cause: error instanceof Error ? error.message : "unknown error" }),
    );
  }
  if (alone.matches("")) return ofPattern(problem("pattern_matches_empty"));
  const names = namesOfGroups(alone);
  const groups = new Set(names);
  const template = parseTemplate(urlTemplate);
  if (!template) return ofTemplate(problem("url_template_invalid"));
  const variables = variablesIn(template);
  const [missing] = [...variables].filter((name) => !groups.has(name));
  if (missing !== undefined) return ofTemplate(problem("group_not_in_pattern", { group: missing }));
  const [unused] = [...groups].filter((name) => !variables.has(name));
  if (unused !== undefined) return ofPattern(problem("group_not_in_template", { group: unused }));
  const example = expand(template, (name) => (groups.has(name) ? "1" : undefined));
  if (!isSafeLink(example)) return ofTemplate(problem("url_template_not_web"));
  return { expression, groups: names, template };
}

/** How clients turn a URL back into text. Stored for them; the server does not use it. */
interface Reversal {
  readonly example_input: string | null;
  readonly reverse_template: string | null;
  readonly alternative_url_templates: readonly string[];
}
/** Applies to examples and to reverse templates. */
export const MAX_REVERSAL_LENGTH = 1000;
export const MAX_ALTERNATIVES = 20;

/** `pattern` must be valid. */
export function reversalProblem(linkifier: Reversal & { pattern: string }): LinkifierProblem | undefined {
  const { example_input: example, reverse_template: reverse, alternative_url_templates: alternatives } = linkifier;
  const expression = re2().compile(linkifier.pattern);
  const groups = new Set(namesOfGroups(expression));
  for (const alternative of alternatives) {
    const found = templateProblem(alternative, groups);
    if (found) return { about: "alternative_url_templates", problem: found };
  }
  if (example === null)
    return reverse === null ? undefined : { about: "reverse_template", problem: problem("linkifier_example_missing") };
  const matcher = expression.matcher(example);
  if (!matcher.matches()) return { about: "example_input", problem: problem("linkifier_example_mismatch") };
  if (reverse === null) return undefined;
  const filled = filledReverse(reverse, (name) => (groups.has(name) ? (matcher.group(name) ?? "") : undefined));
  if (typeof filled === "object") return { about: "reverse_template", problem: filled };
  return filled === example ? undefined : { about: "reverse_template", problem: problem("reverse_template_mismatch") };
}

function templateProblem(template: string, groups: ReadonlySet<string>): Problem | undefined {
  if (template.length > MAX_TEMPLATE_LENGTH) return problem("url_template_too_long", { count: MAX_TEMPLATE_LENGTH });
  const parsed = parseTemplate(template);
  if (!parsed) return problem("url_template_invalid");
  const [missing] = [...variablesIn(parsed)].filter((name) => !groups.has(name));
  return missing === undefined ? undefined : problem("group_not_in_pattern", { group: missing });
}

/** The text of a reverse template with these values, or why it is invalid. */
function filledReverse(template: string, value: (name: string) => string | undefined): string | Problem {
  let why: Problem | undefined;
  const filled = template.replace(/\{\{|\}\}|\{(\w+)\}|[{}]/g, (part: string, name?: string) => {
    if (part.length === 2) return part.charAt(0);
    const found = name === undefined ? undefined : value(name);
    if (found === undefined)
      why ??=
        name === undefined ? problem("reverse_template_invalid") : problem("group_not_in_pattern", { group: name });
    return found ?? "";
  });
  return why ?? filled;
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

/** The matches of linkifiers in text order. If matches overlap, the earlier linkifier wins. */
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

/** The spans in text order. If two overlap, the first in the list stays. */
export function withoutOverlaps<Span extends { start: number; end: number }>(spans: readonly Span[]): Span[] {
  if (spans.length < 2) return [...spans];
  const taken = new Uint8Array(Math.max(...spans.map(({ end }) => end)));
  return spans
    .filter(({ start, end }) => {
      const span = taken.subarray(start, end);
      if (span.includes(1)) return false;
      span.fill(1);
      return true;
    })
    .sort((a, b) => a.start - b.start);
}
