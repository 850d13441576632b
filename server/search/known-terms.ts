import { signInFirst } from "../api/access/authentication.ts";
import { canSeeChannel } from "../api/access/channels.ts";
import { canSeeUser, userNamed } from "../api/access/people.ts";
import { isSpectator } from "../api/access/public-access.ts";
import { type Channel, channelById, channelByName } from "../api/queries/channels.ts";
import type { User } from "../api/queries/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { badNarrow, type NarrowTerm } from "./narrow-terms.ts";

/** The channel that an operand names. Unknown and hidden channels get the same error. */
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

/**
 * The ids of the users that an operand names: an id, an address, several with commas, or a list. Unknown and hidden
 * people get the same error.
 */
export function usersIn(reader: Reader, viewer: User, { operator, operand }: NarrowTerm): number[] {
  const names = typeof operand === "string" ? operand.split(",") : Array.isArray(operand) ? operand : [operand];
  return names.map((name) => {
    const isName = typeof name === "string" || typeof name === "number";
    const id = typeof name === "string" && /^\d{1,15}$/.test(name.trim()) ? Number(name) : name;
    const user = isName ? userNamed(reader, viewer, id as string | number) : undefined;
    // `userNamed` itself limits what spectators find.
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

const PUBLIC_OPERATORS = new Set(["channel", "channels", "topic", "sender", "has", "search", "near", "id", "with"]);

/**
 * The terms, if a spectator may ask for them: they are about web-public channels and about nothing personal. A hidden
 * channel passes here: later it gets the error of one that does not exist.
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
