import type { WireMessage } from "../api/presenters/messages.ts";
import { subscriptionsOf } from "../api/queries/subscriptions.ts";
import { POLICY, RESOLVED, topicFromInput, topicKey, topicPolicy } from "../api/queries/topics.ts";
import { type User, userById } from "../api/queries/users.ts";
import { shortened } from "../errors.ts";
import { mentionsByName } from "../markdown/matches.ts";
import type { Reader } from "../storage/transaction.ts";
import {
  badNarrow,
  type NarrowTerm,
  narrowTerms,
  textIn,
  usersIn,
  visibleChannel,
  visibleUser,
} from "./narrow-terms.ts";

export type EventNarrow = (message: WireMessage, flags: readonly string[]) => boolean;

/**
 * The filter of an event queue, from the pairs of POST /register. The empty topic of its messages is "". As in the public
 * protocol, it checks operators, but not whether channels and senders exist: they can be created later.
 *
 * @throws ApiError BAD_NARROW
 */
export function compileEventNarrow(reader: Reader, viewer: User, pairs: readonly (readonly string[])[]): EventNarrow {
  const tests = narrowTerms(pairs).map((term): EventNarrow => {
    const test = compileEventTerm(reader, viewer, term);
    return term.negated ? (message, flags) => !test(message, flags) : test;
  });
  return (message, flags) => tests.every((test) => test(message, flags));
}

const IN_FLAGS: ReadonlyMap<string, readonly string[]> = new Map([
  ["starred", ["starred"]],
  ["mentioned", ["mentioned", "stream_wildcard_mentioned", "topic_wildcard_mentioned"]],
  ["alerted", ["has_alert_word"]],
]);

/**
 * The id of the term's user, who may not exist yet. A user whom the viewer cannot see matches no message, not even later:
 * that would reveal their address.
 */
function namedUser(reader: Reader, viewer: User, term: NarrowTerm): () => number | undefined {
  const { operator, operand } = term;
  if (textIn(term).includes(",")) throw badNarrow("narrow_single_user", { operator });
  const now = () => visibleUser(reader, userById(reader, viewer.id) ?? viewer, operand)?.id;
  const id = now();
  return () => id ?? now();
}

function compileEventTerm(reader: Reader, viewer: User, term: NarrowTerm): EventNarrow {
  switch (term.operator) {
    case "channel": {
      const named = () => visibleChannel(reader, userById(reader, viewer.id) ?? viewer, term.operand)?.id;
      const id = named();
      return ({ stream_id }) => stream_id !== undefined && stream_id === (id ?? named());
    }
    case "topic": {
      const key = topicKey(topicFromInput(textIn(term)));
      return (message) => message.type === "stream" && topicKey(topicFromInput(message.subject)) === key;
    }
    case "sender": {
      const sender = namedUser(reader, viewer, term);
      return ({ sender_id }) => sender_id === sender();
    }
    case "mentions": {
      const user = namedUser(reader, viewer, term);
      return ({ content }) => {
        const id = user();
        return id !== undefined && mentionsByName(content, id);
      };
    }
    case "dm": {
      const members = [...new Set([viewer.id, ...usersIn(reader, viewer, term)])].sort((a, b) => a - b).join(",");
      return ({ display_recipient: people }) =>
        typeof people !== "string" &&
        people
          .map(({ id }) => id)
          .sort((a, b) => a - b)
          .join(",") === members;
    }
    case "is": {
      const operand = textIn(term);
      if (operand === "dm" || operand === "private") return (message) => message.type === "private";
      if (operand === "unread") return (_, flags) => !flags.includes("read");
      if (operand === "resolved") return (message) => message.subject.startsWith(RESOLVED);
      if (operand === "followed" || operand === "muted") return ofPolicy(reader, viewer, operand);
      const oneOfFlags = IN_FLAGS.get(operand);
      if (!oneOfFlags) return () => !term.negated; // has no effect in the public protocol
      return (_, flags) => oneOfFlags.some((flag) => flags.includes(flag));
    }
    default:
      throw badNarrow("unknown_narrow_operator", { operator: shortened(term.operator) });
  }
}

/** Uses the policies at the time of delivery. */
const ofPolicy =
  (reader: Reader, viewer: User, operand: "followed" | "muted"): EventNarrow =>
  ({ stream_id, subject }) => {
    if (stream_id === undefined) return false;
    const policy = topicPolicy(reader, viewer.id, stream_id, topicFromInput(subject));
    if (operand === "followed") return policy === POLICY.followed;
    const isChannelMuted = subscriptionsOf(reader, viewer.id).get(stream_id)?.is_muted === true;
    return policy === POLICY.muted || (policy === POLICY.none && isChannelMuted);
  };
