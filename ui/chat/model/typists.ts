import type { Of } from "../../api/state-shape.ts";
import { Store } from "../../api/store.ts";
import { type Narrow, narrowKey } from "./narrow.ts";

/** Clients repeat the notification every ten seconds. */
const FORGOTTEN_MS = 15_000;

export type ByConversation = Readonly<Record<string, readonly number[]>>;

/** The ids of typing users by `narrowKey`. */
export class Typists {
  readonly store = new Store<ByConversation>({});
  readonly #self: number;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(self: number) {
    this.#self = self;
  }

  heard(event: Of<"typing">): void {
    const { user_id } = event.sender;
    if (user_id === this.#self) return;
    const key = narrowKey(this.#conversationOf(event));
    this.#remove(key, user_id);
    if (event.op !== "start") return;
    this.store.update((all) => ({ ...all, [key]: [...(all[key] ?? []), user_id] }));
    this.#timers.set(
      `${user_id} ${key}`,
      setTimeout(() => this.#remove(key, user_id), FORGOTTEN_MS),
    );
  }

  /** Call for each message, because its sender no longer types it. */
  wrote(userId: number, conversation: Narrow): void {
    this.#remove(narrowKey(conversation), userId);
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #remove(key: string, userId: number): void {
    clearTimeout(this.#timers.get(`${userId} ${key}`));
    this.#timers.delete(`${userId} ${key}`);
    const before = this.store.value[key];
    if (!before?.includes(userId)) return;
    const { [key]: _, ...others } = this.store.value;
    const rest = before.filter((id) => id !== userId);
    this.store.set(rest.length > 0 ? { ...others, [key]: rest } : others);
  }

  #conversationOf(event: Of<"typing">): Narrow {
    if (event.message_type === "stream") return { kind: "topic", channelId: event.stream_id, topic: event.topic };
    const others = event.recipients.map(({ user_id }) => user_id).filter((id) => id !== this.#self);
    return { kind: "direct", userIds: others.length > 0 ? others.sort((a, b) => a - b) : [this.#self] };
  }
}
