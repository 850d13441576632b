import { canSeeChannel } from "../access/channels.ts";
import { userNamed } from "../access/direct-messages.ts";
import { canSeeUser } from "../access/people.ts";
import { isSpectator } from "../access/public-access.ts";
import type { User } from "../access/users.ts";
import { ApiError } from "../errors.ts";
import type { Reader } from "../storage/transaction.ts";
import { type Channel, channelById, channelByName } from "./channels.ts";

/** Far more than anybody means: each is asked about every message that is looked at. */
export const MOST_NARROW_TERMS = 100;

export interface NarrowTerm {
  /** Its newer spelling: `channel`, `dm`, `dm-including`. */
  readonly operator: string;
  readonly operand: unknown;
  readonly negated: boolean;
}

export const badNarrow = (desc: string) => new ApiError("BAD_NARROW", `Invalid narrow operator: ${desc}`, { desc });

// Maps: an operator or operand may be called "constructor".
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

/** Unknown and hidden channels are answered alike. */
export function channelIn(reader: Reader, viewer: User, operand: unknown): Channel {
  const visible = (channel: Channel | undefined) =>
    channel && canSeeChannel(reader, viewer, channel) ? channel : undefined;
  let channel: Channel | undefined;
  if (typeof operand === "number") channel = visible(channelById(reader, operand));
  else if (typeof operand === "string") {
    channel = visible(channelByName(reader, operand));
    if (/^\d{1,15}$/.test(operand)) channel ??= visible(channelById(reader, Number(operand)));
  }
  if (!channel) throw badNarrow("unknown channel");
  return channel;
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

/**
 * The ids of the users that an operand names: an id, an address, several with commas, or a list. Unknown and hidden
 * people are answered alike.
 */
export function usersIn(reader: Reader, viewer: User, { operator, operand }: NarrowTerm): number[] {
  const names = typeof operand === "string" ? operand.split(",") : Array.isArray(operand) ? operand : [operand];
  return names.map((name) => {
    const known = typeof name === "string" || typeof name === "number";
    const id = typeof name === "string" && /^\d{1,15}$/.test(name.trim()) ? Number(name) : name;
    const user = known ? userNamed(reader, viewer, id as string | number) : undefined;
    // A spectator's own list of names is in `userNamed`.
    if (!user || !(isSpectator(viewer) || canSeeUser(reader, viewer, user)))
      throw badNarrow(`unknown user in ${operator}`);
    return user.id;
  });
}

export function senderIn(reader: Reader, viewer: User, term: NarrowTerm): number {
  const [sender, ...more] = usersIn(reader, viewer, term);
  if (sender === undefined || more.length > 0) throw badNarrow("a message has one sender");
  return sender;
}
