import type { Message } from "../model/feed-state.ts";

/** Messages that stand under one heading. */
export interface Run {
  /** Stays the same while messages are loaded or arrive at either end. */
  readonly key: number;
  readonly messages: readonly [Message, ...Message[]];
}

/**
 * The messages in runs; `startsRun` tells where another one begins. A run keeps the key that one of its messages had
 * `before`: with a key of its first or last message, all of it would be made anew, and lose the focus, each time that
 * messages come there.
 */
export function runsOf(
  messages: readonly Message[],
  startsRun: (message: Message, previous: Message) => boolean,
  before: readonly Run[],
): readonly Run[] {
  const found: [Message, ...Message[]][] = [];
  for (const message of messages) {
    const run = found.at(-1);
    const previous = run?.at(-1);
    if (!run || !previous || startsRun(message, previous)) found.push([message]);
    else run.push(message);
  }
  const keyOf = new Map(before.flatMap(({ key, messages: all }) => all.map(({ id }) => [id, key] as const)));
  const taken = new Set<number>();
  let next = Math.max(0, ...before.map(({ key }) => key)) + 1;
  return found.map((run) => {
    const known = run.map(({ id }) => keyOf.get(id)).find((key) => key !== undefined && !taken.has(key));
    const key = known ?? next++;
    taken.add(key);
    return { key, messages: run };
  });
}

/** One sender's messages within this time stand together under one name. */
const TOGETHER_SECONDS = 5 * 60;

/** What decides whether a message stands under the name of the one above. */
export type Sent = Pick<Message, "sender_id" | "timestamp" | "is_me_message">;

export const belongTogether = (before: Sent, after: Sent): boolean =>
  before.sender_id === after.sender_id &&
  after.timestamp - before.timestamp < TOGETHER_SECONDS &&
  !after.is_me_message &&
  !before.is_me_message;
