import { createRequire } from "node:module";
import type katexTypes from "katex";
import { renderCode } from "./code.ts";
import { escapeHtml } from "./text.ts";

// KaTeX is loaded with the first formula: an idle server does without its 5 MB.
const load = createRequire(import.meta.url);

/** A formula's HTML is a hundred times as long as its text and takes its time, so a message has so much of them. */
const MAX_TEX = 2500;
const EACH_FORMULA = 20;

export interface MathBudget {
  tex: number;
}
export const newMathBudget = (): MathBudget => ({ tex: MAX_TEX });

let katex: typeof katexTypes | undefined;

type Formula = { html: string } | "not understood" | "too much";

function formula(source: string, displayMode: boolean, budget: MathBudget): Formula {
  budget.tex -= source.length + EACH_FORMULA;
  if (budget.tex < 0) return "too much";
  katex ??= load("katex") as typeof katexTypes;
  try {
    const html = katex.renderToString(source, {
      displayMode,
      throwOnError: true,
      strict: "ignore",
      trust: false,
      maxExpand: 200,
      maxSize: 20,
      output: "htmlAndMathml",
    });
    // KaTeX writes one attribute with a blank before its "=", which no other does: the allow-list knows one form.
    return { html: html.replaceAll('<mtd class ="', '<mtd class="') };
  } catch {
    // Its message is in English and about TeX: people are shown what they wrote.
    return "not understood";
  }
}

export function inlineMath(source: string, budget: MathBudget): string {
  const made = formula(source, false, budget);
  if (typeof made === "object") return made.html;
  const written = `$$${escapeHtml(source)}$$`;
  return made === "too much" ? written : `<span class="tex-error">${written}</span>`;
}

export function displayMath(source: string, budget: MathBudget): string {
  const made = formula(source, true, budget);
  if (typeof made === "object") return `<p>${made.html}</p>`;
  return made === "too much"
    ? renderCode(source, "", "")
    : `<p><span class="tex-error">${escapeHtml(source)}</span></p>`;
}
