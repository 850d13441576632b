import { allChannels, type Channel } from "../queries/channels.ts";
import { CHUNK, messageIndex } from "../queries/message-index.ts";
import type { NarrowTerm } from "../queries/narrow-terms.ts";
import { isPublicAccessOn, PUBLIC_ACCESS_TABLES } from "../queries/organization.ts";
import { ROLES, type User } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";
import { signInFirst } from "./authentication.ts";

/**
 * Whoever reads without an account: a guest who is in no group, subscribed to nothing and received nothing, so that
 * every rule that does not know of them gives them nothing. Id 0 is nobody's.
 */
export const SPECTATOR: User = {
  id: 0,
  email: "",
  full_name: "",
  role: ROLES.guest,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  system_bot: null,
  is_active: false,
  timezone: "",
  avatar_version: 1,
  key_generation: 0,
  joined_at: 0,
};

export const isSpectator = (viewer: Pick<User, "id">): boolean => viewer.id === SPECTATOR.id;

/** Who calls without credentials where that may be; undefined where nobody may: the server's and the organization's say. */
export const spectator = (reader: Reader): User | undefined => (isPublicAccessOn(reader) ? SPECTATOR : undefined);

/** Whether a channel may be read without an account: the server, the organization and the channel all have to say so. */
export const isOpenToAll = (reader: Reader, channel: Channel): boolean =>
  channel.is_web_public && !channel.invite_only && !channel.is_archived && isPublicAccessOn(reader);

/** In the order of their ids. */
export const channelsOpenToAll = (reader: Reader): Channel[] =>
  allChannels(reader).filter((channel) => isOpenToAll(reader, channel));

/** Ids of those who wrote what a spectator may read: the people of whom a spectator knows. Outside transactions only. */
export const sendersShownToAll = (reader: Reader): ReadonlySet<number> =>
  reader.derived("senders shown to all", ["messages", "channels", ...PUBLIC_ACCESS_TABLES], (rows) => {
    const shown = new Set<number>();
    const index = messageIndex(rows);
    const last = index.last(rows);
    const open = new Set<number>();
    let first = last + 1;
    for (const { id, first_message_id } of channelsOpenToAll(rows)) {
      open.add(id);
      first = Math.min(first, first_message_id ?? first);
    }
    for (let number = Math.floor(last / CHUNK); number * CHUNK + CHUNK > first; number -= 1) {
      const { senders, locations } = index.chunk(rows, number);
      for (let at = 0; at < CHUNK; at += 1) if (open.has(locations[at] as number)) shown.add(senders[at] as number);
    }
    return shown;
  });

const PUBLIC_OPERATORS = new Set(["channel", "channels", "topic", "sender", "has", "search", "near", "id", "with"]);

/**
 * The terms, if somebody without an account may ask so: about web-public channels, and nothing of anybody's own. Which
 * of them there are is not told here: a narrow to a channel out of visibility is one to a channel that does not exist.
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
