import { ApiError } from "../errors.ts";

/** Far more than anybody needs: each is tested on every candidate message. */
export const MAX_NARROW_TERMS = 100;

export interface NarrowTerm {
  /** In the newer spelling: `channel`, `dm`, `dm-including`. */
  readonly operator: string;
  readonly operand: unknown;
  readonly negated: boolean;
}

export const badNarrow = (desc: string) => new ApiError("BAD_NARROW", `Invalid narrow operator: ${desc}`, { desc });

// A Map, since a client may send "constructor" as an operator.
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ["stream", "channel"],
  ["streams", "channels"],
  ["pm-with", "dm"],
  ["group-pm-with", "dm-including"],
  ["from", "sender"],
  ["subject", "topic"],
]);

/** Terms as they come in: `{operator, operand, negated?}` or `[operator, operand]`, old and new spellings alike. */
export function narrowTerms(narrow: readonly unknown[]): NarrowTerm[] {
  return narrow.map((term) => {
    const {
      operator,
      operand,
      negated = false,
    } = (Array.isArray(term) ? { operator: term[0], operand: term[1] } : (term ?? {})) as {
      operator?: unknown;
      operand?: unknown;
      negated?: unknown;
    };
    if (typeof operator !== "string" || operand === undefined || typeof negated !== "boolean") {
      throw badNarrow("each term is an operator and its operand");
    }
    const minus = operator.startsWith("-");
    const spelled = (minus ? operator.slice(1) : operator).replaceAll("_", "-");
    return { operator: SPELLINGS.get(spelled) ?? spelled, operand, negated: minus !== negated };
  });
}

export function textIn({ operator, operand }: NarrowTerm): string {
  if (typeof operand !== "string") throw badNarrow(`${operator} takes text`);
  return operand;
}

export function idIn({ operator, operand }: NarrowTerm): number {
  const id = typeof operand === "string" && /^\d{1,15}$/.test(operand) ? Number(operand) : operand;
  if (typeof id !== "number" || !Number.isSafeInteger(id)) throw badNarrow(`${operator} takes a message ID`);
  return id;
}
