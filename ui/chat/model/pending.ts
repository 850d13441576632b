import type { Of, WireEvent } from "../../api/state-shape.ts";
import { Store } from "../../api/store.ts";
import { attached, flagged, type Message, reacted } from "./feed-state.ts";

/** The expected event about the user's own change. */
export type OwnChange =
  | Pick<Of<"reaction">, "type" | "op" | "message_id" | "user_id" | "emoji_name" | "emoji_code" | "reaction_type">
  | { readonly type: "update_message_flags"; readonly op: "add" | "remove"; readonly flag: string; message_id: number }
  | Pick<Of<"submessage">, "type" | "message_id" | "sender_id" | "content">;

interface Pending {
  /** Negative: real submessages have positive ids. */
  readonly id: number;
  readonly change: OwnChange;
}

/**
 * The user's reactions, stars and votes until their events arrive. A change ends with its event or an error, not with
 * the response: the event can arrive long after the response, and the page would show the old state in between.
 */
export class PendingChanges {
  /** By message id, oldest first. */
  readonly store = new Store<ReadonlyMap<number, readonly Pending[]>>(new Map());
  readonly #running = new Map<number, Promise<unknown>>();
  #made = 0;

  /**
   * Shows a change and runs `work`. Changes of one message run in order, because concurrent requests can arrive in the
   * wrong order. @throws what `work` throws, after removing the change.
   */
  async make(change: OwnChange, work: () => Promise<unknown>): Promise<void> {
    this.#made += 1;
    const { message_id: messageId } = change;
    const pending: Pending = { id: -this.#made, change };
    this.#set(messageId, [...this.#of(messageId), pending]);
    const before = this.#running.get(messageId);
    const running = (before ?? Promise.resolve()).catch(() => {}).then(work);
    this.#running.set(messageId, running);
    try {
      await running;
    } catch (error) {
      this.#remove(messageId, [pending]);
      throw error;
    } finally {
      if (this.#running.get(messageId) === running) this.#running.delete(messageId);
    }
  }

  /** Ends the changes of an event. An opposite event comes from another device and also ends them. */
  apply(event: WireEvent): void {
    switch (event.type) {
      case "reaction":
      case "submessage":
        this.#end(event.message_id, event);
        break;
      case "update_message_flags":
        for (const id of event.messages) this.#end(id, event);
        break;
      case "delete_message":
        for (const id of "message_ids" in event ? event.message_ids : [event.message_id]) this.#set(id, []);
    }
  }

  /** Call when events may be missing. */
  clear(): void {
    this.store.set(new Map());
  }

  /** A message with its pending changes. */
  shown(message: Message): Message {
    return this.#of(message.id).reduce(changed, message);
  }

  #of(messageId: number): readonly Pending[] {
    return this.store.value.get(messageId) ?? NONE;
  }

  #end(messageId: number, event: OwnChange | WireEvent): void {
    const same = this.#of(messageId).filter(({ change }) => keyOf(change) === keyOf(event));
    const [first] = same.filter(({ change }) => opOf(change) === opOf(event));
    const ended = first ? [first] : same;
    if (ended.length > 0) this.#remove(messageId, ended);
  }

  #remove(messageId: number, ended: readonly Pending[]): void {
    this.#set(
      messageId,
      this.#of(messageId).filter((one) => !ended.includes(one)),
    );
  }

  #set(messageId: number, pending: readonly Pending[]): void {
    if (pending.length === 0 && !this.store.value.has(messageId)) return;
    const next = new Map(this.store.value);
    if (pending.length > 0) next.set(messageId, pending);
    else next.delete(messageId);
    this.store.set(next);
  }
}

const NONE: readonly Pending[] = [];

/** Events with the same key arrive in the order in which the server made the changes. */
function keyOf(event: OwnChange | WireEvent): string {
  switch (event.type) {
    case "reaction":
      return `reaction ${event.user_id} ${event.reaction_type} ${event.emoji_code}`;
    case "update_message_flags":
      return `flag ${event.flag}`;
    case "submessage":
      return `submessage ${event.sender_id} ${event.content}`;
    default:
      return event.type;
  }
}

const opOf = (event: OwnChange | WireEvent): string | undefined => ("op" in event ? event.op : undefined);

function changed(message: Message, { id, change }: Pending): Message {
  switch (change.type) {
    case "reaction":
      return reacted(message, change);
    case "update_message_flags":
      return flagged(message, change);
    case "submessage":
      return attached(message, { ...change, submessage_id: id });
  }
}
