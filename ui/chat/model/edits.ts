import { Store } from "../../api/store.ts";
import type { BrowserStorage } from "./outbox.ts";

/** What was typed to change messages and is not saved yet, by message: it survives a reload, and going elsewhere. */
export class Edits {
  readonly store: Store<ReadonlyMap<number, string>>;
  readonly #storage: BrowserStorage;
  readonly #prefix: string;

  constructor({ storage, userId }: { storage: BrowserStorage; userId: number }) {
    this.#storage = storage;
    this.#prefix = `hearth-edit-${userId}-`;
    this.store = new Store(this.#load());
  }

  set(messageId: number, text: string): void {
    try {
      this.#storage.setItem(this.#prefix + messageId, text);
    } catch {} // full, or forbidden: the page still has it
    this.store.set(new Map(this.store.value).set(messageId, text));
  }

  remove(messageId: number): void {
    if (!this.store.value.has(messageId)) return;
    try {
      this.#storage.removeItem(this.#prefix + messageId);
    } catch {} // forbidden
    const next = new Map(this.store.value);
    next.delete(messageId);
    this.store.set(next);
  }

  #load(): ReadonlyMap<number, string> {
    const found = new Map<number, string>();
    try {
      for (let at = 0; at < this.#storage.length; at += 1) {
        const key = this.#storage.key(at) ?? "";
        if (key.startsWith(this.#prefix))
          found.set(Number(key.slice(this.#prefix.length)), this.#storage.getItem(key) ?? "");
      }
    } catch {} // storage may be forbidden
    return found;
  }
}
