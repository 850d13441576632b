import { Store } from "../../api/store.ts";
import type { BrowserStorage } from "./outbox.ts";

/** The unsaved text of a message. */
export interface Edit {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Unsaved edits by message. They survive a reload, and the tabs of a browser share them. */
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
    // Tabs compare these times, so each change is later than the last, even if the clock was set back.
    const { at = 0 } = this.store.value.get(messageId) ?? {};
    this.#put(messageId, { text, at: Math.max(Date.now(), at + 1) });
  }

  remove(messageId: number): void {
    if (!this.store.value.has(messageId)) return;
    try {
      this.#storage.removeItem(this.#prefix + messageId);
    } catch {} // storage is forbidden
    this.#delete(messageId);
  }

  /** Removes a saved edit, unless another tab has changed it since. */
  saved(messageId: number, text: string): void {
    if (this.store.value.get(messageId)?.text === text) this.remove(messageId);
  }

  /** Applies an edit that another tab stored, or removed (null). Keeps newer texts of this tab. */
  followTab(storageKey: string, stored: string | null, replaced: string | null): void {
    if (!storageKey.startsWith(this.#prefix)) return;
    const messageId = Number(storageKey.slice(this.#prefix.length));
    const own = this.store.value.get(messageId);
    const edit = editIn(stored);
    // The other tab does not have it yet.
    if (own && own.at > ((edit ?? editIn(replaced))?.at ?? 0)) this.#put(messageId, own);
    else if (edit) this.#show(messageId, edit);
    else this.#delete(messageId);
  }

  #put(messageId: number, edit: Edit): void {
    try {
      this.#storage.setItem(this.#prefix + messageId, JSON.stringify(edit));
    } catch {} // storage is full or forbidden: the page still has it
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
    } catch {} // storage is forbidden
    return found;
  }
}

/** Older versions stored the text only. */
function editIn(stored: string | null): Edit | undefined {
  if (stored === null) return undefined;
  try {
    const { text, at } = JSON.parse(stored) as Partial<Edit>;
    if (text !== undefined && at !== undefined) return { text, at };
  } catch {} // not JSON
  return { text: stored, at: 0 };
}
