import { createRequire } from "node:module";
import type katexTypes from "katex";
import { renderCode } from "./code.ts";
import { escapeHtml } from "./plain.ts";

// KaTeX is loaded with the first formula, to save its 5 MB in idle servers. It stays at version 0.16, because clients
// parse its HTML: since 0.18 it has other class names, for which clients show raw TeX (docs/protocol.md#message-html).
const load = createRequire(import.meta.url);

/** Limits the formulas of a message: their HTML is slow to render and a hundred times as long as their text. */
const MAX_TEX = 2500;
const COST_PER_FORMULA = 20;
/** A matrix of a thousand columns is 2,000 characters of TeX, 200 ms of work and 700 kB of HTML. */
const COST_PER_CELL = 8;
const MAX_HTML = 48_000;
/**
 * Each prime, power or index takes at least this much HTML, so a formula with too many of them is refused before KaTeX
 * renders it: 1,200 primes are 600 kB of HTML. A prime and a power after it share their HTML.
 */
const HTML_PER_SCRIPT = 380;
const SCRIPTS = /(?<!\\)(?:'+\^?|[\^_])/g;

/**
 * Commands that define commands. Each use of a definition repeats its body, so a formula with definitions costs as much
 * as its longest expansion. Parameters and `\edef` would multiply further.
 */
const DEFINES = /\\(?:g?def|(?:future)?let|(?:re)?newcommand|providecommand)(?![a-zA-Z@])/;
const MULTIPLIES = /\\[ex]def(?![a-zA-Z@])/;
const MAX_EXPANSIONS = { usual: 200, ofDefined: 20 };
/** These write to the server's own output. */
const WRITES = /\\(?:message|errmessage|show)(?![a-zA-Z@])/;

export interface MathBudget {
  tex: number;
  html: number;
}
export const newMathBudget = (): MathBudget => ({ tex: MAX_TEX, html: MAX_HTML });

let katex: typeof katexTypes | undefined;

type Formula = { html: string } | "not understood" | "too much";

function formula(source: string, displayMode: boolean, budget: MathBudget): Formula {
  const cells = source.match(/&|\\\\|\\cr\b/g)?.length ?? 0;
  const defines = DEFINES.test(source);
  if (WRITES.test(source) || MULTIPLIES.test(source) || (defines && source.includes("#"))) return "not understood";
  const length = defines ? source.length * (1 + MAX_EXPANSIONS.ofDefined) : source.length;
  budget.tex -= length + COST_PER_FORMULA + cells * COST_PER_CELL;
  if (budget.tex < 0) return "too much";
  const scripts = source.match(SCRIPTS)?.length ?? 0;
  if (scripts * HTML_PER_SCRIPT > budget.html) return "too much";
  katex ??= load("katex") as typeof katexTypes;
  try {
    const html = katex.renderToString(source, {
      displayMode,
      throwOnError: true,
      strict: "ignore",
      trust: false,
      maxExpand: defines ? MAX_EXPANSIONS.ofDefined : MAX_EXPANSIONS.usual,
      maxSize: 20,
      output: "htmlAndMathml",
    });
    budget.html -= html.length;
    if (budget.html < 0) return "too much";
    // KaTeX writes one attribute with a space before its "=", which the allow-list does not accept.
    return { html: html.replaceAll('<mtd class ="', '<mtd class="') };
  } catch {
    // The error is in English and about TeX, so people see their own text instead.
    return "not understood";
  }
}

export function inlineMath(source: string, budget: MathBudget): string {
  const result = formula(source, false, budget);
  if (typeof result === "object") return result.html;
  const written = `$$${escapeHtml(source)}$$`;
  return result === "too much" ? written : `<span class="tex-error">${written}</span>`;
}

export function displayMath(source: string, budget: MathBudget): string {
  const result = formula(source, true, budget);
  if (typeof result === "object") return `<p>${result.html}</p>`;
  return result === "too much"
    ? renderCode(source, "", "")
    : `<p><span class="tex-error">${escapeHtml(source)}</span></p>`;
}
