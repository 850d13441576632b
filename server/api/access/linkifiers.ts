import { ApiError, badRequest } from "../../errors.ts";
import {
  compileLinkifiers,
  type Linkifiers,
  linkifierProblem,
  MAX_LINKIFIERS,
  reversalProblem,
} from "../../markdown/linkifiers.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type Linkifier, linkifiers } from "../queries/linkifiers.ts";

/** Compiled once for all texts. */
export const compiledLinkifiers = (reader: Reader): Linkifiers =>
  reader.derived("compiled linkifiers", ["linkifiers"], (rows) => compileLinkifiers(linkifiers(rows)));

export function linkifierToChange(reader: Reader, id: number): Linkifier {
  const found = linkifiers(reader).find((linkifier) => linkifier.id === id);
  if (!found) throw badRequest("linkifier_not_found");
  return found;
}

interface LinkifierInput {
  pattern: string;
  url_template: string;
  example_input?: string | undefined;
  reverse_template?: string | undefined;
  alternative_url_templates?: string[] | undefined;
}

/** `before`: the linkifier that changes. Undefined values stay the same, and "" removes a text. */
export function validLinkifier(reader: Reader, input: LinkifierInput, before?: Linkifier): Omit<Linkifier, "id"> {
  const { pattern, url_template } = input;
  const textOf = (name: "example_input" | "reverse_template") => (input[name] ?? before?.[name]) || null;
  const linkifier = {
    pattern,
    url_template,
    example_input: textOf("example_input"),
    reverse_template: textOf("reverse_template"),
    alternative_url_templates: input.alternative_url_templates ?? before?.alternative_url_templates ?? [],
  };
  const refusal = linkifierProblem(pattern, url_template) ?? reversalProblem(linkifier);
  if (refusal) throw new ApiError("BAD_REQUEST", refusal.problem, { var_name: refusal.about });
  const others = linkifiers(reader).filter(({ id }) => id !== before?.id);
  if (others.some((other) => other.pattern === pattern))
    throw badRequest("linkifier_pattern_taken", {}, { var_name: "pattern" });
  if (others.length >= MAX_LINKIFIERS) throw badRequest("too_many_linkifiers", { count: MAX_LINKIFIERS });
  return linkifier;
}

export function completeLinkifierOrder(reader: Reader, ids: readonly number[]): readonly number[] {
  const known = new Set(linkifiers(reader).map(({ id }) => id));
  if (ids.length !== known.size || new Set(ids).size !== ids.length || !ids.every((id) => known.has(id)))
    throw badRequest("linkifier_order_incomplete");
  return ids;
}
