import type { Reason } from "../../server/errors.ts";

/** A text with `{name}` for each param. Two forms are chosen by the param `count`. */
export type ErrorText = string | { readonly one: string; readonly other: string };
export type ErrorTexts = Readonly<Record<Reason, ErrorText>>;

/** Why something failed, as the server and the desktop app report it. `msg` is English; causes have none. */
export interface ReportedProblem {
  readonly reason: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly msg?: string;
}

export const isProblem = (value: unknown): value is ReportedProblem =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as ReportedProblem).reason === "string" &&
  typeof (value as ReportedProblem).params === "object";

/** The text of a problem; undefined if `texts` lacks its reason or that of a cause. */
export function errorText(texts: Partial<ErrorTexts>, { reason, params }: ReportedProblem): string | undefined {
  const text = Object.hasOwn(texts, reason) ? texts[reason as Reason] : undefined;
  if (text === undefined) return undefined;
  let isComplete = true;
  const form = typeof text === "string" ? text : params["count"] === 1 ? text.one : text.other;
  const filled = form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    const shown = isProblem(value) ? errorText(texts, value) : String(value ?? "");
    if (shown === undefined) isComplete = false;
    return shown ?? "";
  });
  return isComplete ? filled : undefined;
}
