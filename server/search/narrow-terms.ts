import { signInFirst } from "../api/access/authentication.ts";
import { canSeeChannel } from "../api/access/channels.ts";
import { canSeeUser, userNamed } from "../api/access/people.ts";
import { isSpectator } from "../api/access/public-access.ts";
import { type Channel, channelById, channelByName } from "../api/queries/channels.ts";
import type { User } from "../api/queries/users.ts";
import { ApiError, type ParamsFor, problem, problemText, type Reason } from "../errors.ts";
import type { Reader } from "../storage/transaction.ts";

/** Each term is tested on every candidate message. */
export const MAX_NARROW_TERMS = 100;

export interface NarrowTerm {
  /** The current spelling: `channel`, `dm`, `dm-including`. */
  readonly operator: string;
  readonly operand: unknown;
  readonly negated: boolean;
}

export function badNarrow<R extends Reason>(reason: R, ...params: ParamsFor<R>): ApiError {
  const why = problem(reason, ...params);
  return new ApiError("BAD_NARROW", why, { desc: problemText(why).replace("Invalid narrow operator: ", "") });
}

// A Map, since a client may send "constructor" as an operator.
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ["stream", "channel"],
  ["streams", "channels"],
  ["pm-with", "dm"],
  ["group-pm-with", "dm-including"],
  ["from", "sender"],
  ["subject", "topic"],
]);

/** Parses terms of the form `{operator, operand, negated?}` or `[operator, operand]`, with old and new spellings. */
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
      throw badNarrow("narrow_term_malformed");
    }
    const minus = operator.startsWith("-");
    const spelled = (minus ? operator.slice(1) : operator).replaceAll("_", "-");
    return { operator: SPELLINGS.get(spelled) ?? spelled, operand, negated: minus !== negated };
  });
}

export function textIn({ operator, operand }: NarrowTerm): string {
  if (typeof operand !== "string") throw badNarrow("narrow_operand_not_text", { operator });
  return operand;
}

export function idIn({ operator, operand }: NarrowTerm): number {
  const id = typeof operand === "string" && /^\d{1,15}$/.test(operand) ? Number(operand) : operand;
  if (typeof id !== "number" || !Number.isSafeInteger(id)) throw badNarrow("narrow_operand_not_id", { operator });
  return id;
}

/** The channel of an operand. Undefined for unknown and hidden channels. */
export function visibleChannel(reader: Reader, viewer: User, operand: unknown): Channel | undefined {
  const visible = (channel: Channel | undefined) =>
    channel && canSeeChannel(reader, viewer, channel) ? channel : undefined;
  let channel: Channel | undefined;
  if (typeof operand === "number") channel = visible(channelById(reader, operand));
  else if (typeof operand === "string") {
    channel = visible(channelByName(reader, operand));
    if (/^\d{1,15}$/.test(operand)) channel ??= visible(channelById(reader, Number(operand)));
  }
  return channel;
}

/** The channel of an operand. Unknown and hidden channels get the same error. */
export function channelIn(reader: Reader, viewer: User, operand: unknown): Channel {
  const channel = visibleChannel(reader, viewer, operand);
  if (!channel) throw badNarrow("unknown_narrow_channel");
  return channel;
}

/** The user of an id or an email address. Undefined for unknown and hidden users. */
export function visibleUser(reader: Reader, viewer: User, name: unknown): User | undefined {
  if (typeof name !== "string" && typeof name !== "number") return undefined;
  const isId = typeof name === "string" && /^\d{1,15}$/.test(name.trim());
  const user = userNamed(reader, viewer, isId ? Number(name) : name);
  // `userNamed` itself limits the users that spectators can find.
  return user && (isSpectator(viewer) || canSeeUser(reader, viewer, user)) ? user : undefined;
}

/**
 * The ids of an operand's users: an id, an email address, several with commas, or a list. Unknown and hidden users get
 * the same error.
 */
export function usersIn(reader: Reader, viewer: User, { operator, operand }: NarrowTerm): number[] {
  const names = typeof operand === "string" ? operand.split(",") : Array.isArray(operand) ? operand : [operand];
  return names.map((name) => {
    const user = visibleUser(reader, viewer, name);
    if (!user) throw badNarrow("unknown_narrow_user", { operator });
    return user.id;
  });
}

export function userIn(reader: Reader, viewer: User, term: NarrowTerm): number {
  const [user, ...more] = usersIn(reader, viewer, term);
  if (user === undefined || more.length > 0) throw badNarrow("narrow_single_user", { operator: term.operator });
  return user;
}

const PUBLIC_OPERATORS = new Set(["channel", "channels", "topic", "sender", "has", "search", "near", "id", "with"]);

/**
 * The terms, if a spectator can use them: they must concern web-public channels and nothing personal. A hidden channel
 * passes this check, and later gets the error of a missing channel.
 */
export function publicNarrow(terms: readonly NarrowTerm[]): readonly NarrowTerm[] {
  const aboutPublic = terms.some(
    ({ operator, operand, negated }) =>
      !negated && (operator === "channel" || (operator === "channels" && operand === "web-public")),
  );
  const impersonal = terms.every(
    ({ operator, operand }) => PUBLIC_OPERATORS.has(operator) || (operator === "is" && operand === "resolved"),
  );
  if (!aboutPublic || !impersonal) throw signInFirst();
  return terms;
}
