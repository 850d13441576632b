import { type Client, Refusal } from "../../api/client.ts";
import type { State } from "../../api/state-shape.ts";
import { type Narrow, narrowKey } from "./narrow.ts";
import { othersOf } from "./selectors.ts";
import { isTopicMuted } from "./topic-policies.ts";

/** What is marked as read at once. */
export type ReadScope =
  | { readonly kind: "everything" }
  | { readonly kind: "directs" }
  | Extract<Narrow, { readonly kind: "channel" | "topic" | "direct" }>;

type Unread = NonNullable<State["unread_msgs"]>;

/** The unread messages of a scope, those in muted topics too; the newest first. */
export function unreadIds({ streams, pms, huddles }: Unread, scope: ReadScope, self: number): number[] {
  const key = scope.kind === "everything" ? "" : narrowKey(scope);
  const matches = (narrow: Extract<Narrow, { readonly kind: "topic" | "direct" }>) =>
    scope.kind === "everything" ||
    (scope.kind === "directs" && narrow.kind === "direct") ||
    (scope.kind === "channel" && narrow.kind === "topic" && narrow.channelId === scope.channelId) ||
    narrowKey(narrow) === key;
  return [
    ...streams.filter(({ stream_id, topic }) => matches({ kind: "topic", channelId: stream_id, topic })),
    ...pms.filter(({ other_user_id }) => matches({ kind: "direct", userIds: [other_user_id] })),
    ...huddles.filter(({ user_ids_string }) => matches({ kind: "direct", userIds: othersOf(user_ids_string, self) })),
  ]
    .flatMap(({ unread_message_ids }) => unread_message_ids)
    .sort((a, b) => b - a);
}

export const unreadInMutedTopics = (state: State, { streams }: Unread): number[] =>
  streams
    .filter(({ stream_id, topic }) => isTopicMuted(state, stream_id, topic))
    .flatMap(({ unread_message_ids }) => unread_message_ids);

/** Messages in one request. */
export const MAX_MARKED = 5000;

/**
 * Marks messages as read, or as unread again, in as many requests as that takes. Where one of them fails, `run` goes on
 * with what is left.
 */
export class Marking {
  /** Those that became read, or unread: some may have been so before. */
  readonly changed: number[] = [];
  readonly #client: Client;
  readonly #op: "add" | "remove";
  readonly #ids: number[];
  /** Finds more of them, after those that are known are marked. */
  readonly #more: (() => Promise<readonly number[]>) | undefined;
  #done = 0;

  constructor(client: Client, op: "add" | "remove", ids: readonly number[], more?: () => Promise<readonly number[]>) {
    this.#client = client;
    this.#op = op;
    this.#ids = [...ids];
    this.#more = more;
  }

  get done(): number {
    return this.#done;
  }

  get total(): number {
    return this.#ids.length;
  }

  /** Whether more than one request is left. */
  get isLong(): boolean {
    return this.#ids.length - this.#done > MAX_MARKED || this.#more !== undefined;
  }

  /** @throws what the client throws */
  async run(onProgress: () => void): Promise<void> {
    let size = MAX_MARKED;
    while (true) {
      if (this.#done === this.#ids.length) {
        // One that was left out is still unread for the server: it is not asked for again.
        const known = new Set(this.#ids);
        const more = ((await this.#more?.()) ?? []).filter((id) => !known.has(id));
        if (more.length === 0) return;
        for (const id of more) this.#ids.push(id);
      }
      const messages = this.#ids.slice(this.#done, this.#done + size);
      try {
        const answer = await this.#client.call("POST /messages/flags", { messages, op: this.#op, flag: "read" });
        for (const id of answer.messages) this.changed.push(id);
        size = Math.min(size * 2, MAX_MARKED);
      } catch (error) {
        // One that was deleted meanwhile is refused with all others: it is narrowed down, and left out.
        if (!(error instanceof Refusal) || error.status !== 400) throw error;
        if (messages.length > 1) {
          size = Math.ceil(messages.length / 2);
          continue;
        }
      }
      this.#done += messages.length;
      onProgress();
    }
  }
}

/** What is unread now: a page knows only the newest of very much. */
export async function unreadNow(client: Client): Promise<Unread | undefined> {
  const { queue_id, unread_msgs } = await client.call("POST /register", {
    event_types: ["update_message_flags"],
    fetch_event_types: ["message", "update_message_flags"],
    client_capabilities: { empty_topic_name: true },
  });
  if (queue_id) client.call("DELETE /events", { queue_id }).catch(() => {}); // it ends by itself, later
  return unread_msgs;
}
