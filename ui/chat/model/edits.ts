import { Store } from "../../api/store.ts";
import type { BrowserStorage } from "./outbox.ts";

/** The text of a message as it was changed and not saved. */
export interface Edit {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * What was typed to change messages and is not saved yet, by message: it survives a reload, and going elsewhere. The
 * tabs of one browser share one text for each message.
 */
export class Edits {
  readonly store: Store<ReadonlyMap<number, Edit>>;
  readonly #storage: BrowserStorage;
  readonly #prefix: string;

  constructor({ storage, userId }: { storage: BrowserStorage; userId: number }) {
    this.#storage = storage;
    this.#prefix = `hearth-edit-${userId}-`;
    this.store = new Store(this.#load());
  }

  set(messageId: number, text: string): void {
    // Later than what it changes, also where the clock was put back: tabs go by it.
    const { at = 0 } = this.store.value.get(messageId) ?? {};
    this.#put(messageId, { text, at: Math.max(Date.now(), at + 1) });
  }

  remove(messageId: number): void {
    if (!this.store.value.has(messageId)) return;
    try {
      this.#storage.removeItem(this.#prefix + messageId);
    } catch {} // forbidden
    this.#delete(messageId);
  }

  /** The text is the message's now. What another tab has typed since it was sent stays. */
  saved(messageId: number, text: string): void {
    if (this.store.value.get(messageId)?.text === text) this.remove(messageId);
  }

  /**
   * Takes over what another tab has stored under a key in place of something; null is nothing. What is newer here stays.
   */
  followTab(storageKey: string, stored: string | null, replaced: string | null): void {
    if (!storageKey.startsWith(this.#prefix)) return;
    const messageId = Number(storageKey.slice(this.#prefix.length));
    const own = this.store.value.get(messageId);
    const edit = editIn(stored);
    // The other tab has not heard of it yet.
    if (own && own.at > ((edit ?? editIn(replaced))?.at ?? 0)) this.#put(messageId, own);
    else if (edit) this.#show(messageId, edit);
    else this.#delete(messageId);
  }

  #put(messageId: number, edit: Edit): void {
    try {
      this.#storage.setItem(this.#prefix + messageId, JSON.stringify(edit));
    } catch {} // full, or forbidden: the page still has it
    this.#show(messageId, edit);
  }

  #show(messageId: number, edit: Edit): void {
    this.store.set(new Map(this.store.value).set(messageId, edit));
  }

  #delete(messageId: number): void {
    const next = new Map(this.store.value);
    next.delete(messageId);
    this.store.set(next);
  }

  #load(): ReadonlyMap<number, Edit> {
    const found = new Map<number, Edit>();
    try {
      for (let at = 0; at < this.#storage.length; at += 1) {
        const key = this.#storage.key(at) ?? "";
        if (!key.startsWith(this.#prefix)) continue;
        const edit = editIn(this.#storage.getItem(key));
        if (edit) found.set(Number(key.slice(this.#prefix.length)), edit);
      }
    } catch {} // storage may be forbidden
    return found;
  }
}

/** What is stored; an older page wrote the text alone. */
function editIn(stored: string | null): Edit | undefined {
  if (stored === null) return undefined;
  try {
    const { text, at } = JSON.parse(stored) as Partial<Edit>;
    if (text !== undefined && at !== undefined) return { text, at };
  } catch {} // no JSON
  return { text: stored, at: 0 };
}
