import { badRequest } from "../../errors.ts";
import { compileLinkifiers, type Linkifiers, linkifierProblem, MAX_LINKIFIERS } from "../../markdown/linkifiers.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type Linkifier, linkifiers } from "../queries/linkifiers.ts";

/** Compiled once for all texts. */
export const compiledLinkifiers = (reader: Reader): Linkifiers =>
  reader.derived("compiled linkifiers", ["linkifiers"], (rows) => compileLinkifiers(linkifiers(rows)));

export function linkifierToChange(reader: Reader, id: number): Linkifier {
  const found = linkifiers(reader).find((linkifier) => linkifier.id === id);
  if (!found) throw badRequest("Linkifier not found.");
  return found;
}

/** `before`: the linkifier that changes. */
export function validLinkifier(
  reader: Reader,
  { pattern, url_template }: Omit<Linkifier, "id">,
  before?: Linkifier,
): Omit<Linkifier, "id"> {
  const problem = linkifierProblem(pattern, url_template);
  if (problem) throw badRequest(problem.sentence, { var_name: problem.about });
  const others = linkifiers(reader).filter(({ id }) => id !== before?.id);
  if (others.some((other) => other.pattern === pattern))
    throw badRequest("A linkifier with this pattern exists already.", { var_name: "pattern" });
  if (others.length >= MAX_LINKIFIERS)
    throw badRequest(`There are ${MAX_LINKIFIERS} linkifiers, and no room for more.`);
  return { pattern, url_template };
}

export function completeLinkifierOrder(reader: Reader, ids: readonly number[]): readonly number[] {
  const known = new Set(linkifiers(reader).map(({ id }) => id));
  if (ids.length !== known.size || new Set(ids).size !== ids.length || !ids.every((id) => known.has(id)))
    throw badRequest("The list must have the ID of every linkifier exactly once.");
  return ids;
}
