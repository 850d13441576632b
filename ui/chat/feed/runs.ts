import type { Message } from "../model/feed-state.ts";

/** Consecutive messages with one heading. */
export interface Run {
  /** Stays the same while messages are added at either end. */
  readonly key: number;
  readonly messages: readonly [Message, ...Message[]];
}

/**
 * Groups messages into runs. A run keeps the key that its messages had in `before`. If its first message were the key,
 * React would mount the run again, and lose the focus, whenever history loads.
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

const TOGETHER_SECONDS = 5 * 60;

export type Sent = Pick<Message, "sender_id" | "timestamp" | "is_me_message">;

/** Whether `after` is shown without its own name and avatar. */
export const belongTogether = (before: Sent, after: Sent): boolean =>
  before.sender_id === after.sender_id &&
  // Times go back where imported messages begin.
  Math.abs(after.timestamp - before.timestamp) < TOGETHER_SECONDS &&
  !after.is_me_message &&
  !before.is_me_message;
