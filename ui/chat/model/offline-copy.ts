import type { State } from "../../api/state-shape.ts";
import type { Message } from "./feed-state.ts";

/** What the page shows while the server does not answer: the newest messages, and all that /register said. */
export interface OfflineCopy {
  readonly userId: number;
  readonly state: State;
  /** Ascending by id; of several conversations, with gaps. */
  readonly messages: readonly Message[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Where the copy is: the browser's database, or a stand-in. */
export interface CopyStorage {
  read(): Promise<OfflineCopy | undefined>;
  write(copy: OfflineCopy): Promise<void>;
  remove(): Promise<void>;
}

const DATABASE = "hearth-offline";
const STORE = "copies";
/** A browser is signed in as one person, so there is one copy. */
const KEY = "chat";

/** Names of what opens something: keys of bots, and of services that the organization uses. */
const SECRET = /(?:^|_)(?:api_key|token|password|secret)$/;

/** A state to keep on disk: whoever can read a browser's files is to get nothing with which to sign in. */
export function withoutSecrets<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutSecrets) as T;
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name, field]) => typeof field !== "string" || !SECRET.test(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutSecrets(field)])) as T;
}

/** IndexedDB, which browsers have over plain HTTP too. Where it is forbidden or full, there is no copy. */
export const browserCopies: CopyStorage = {
  read: () => inStore<OfflineCopy | undefined>("readonly", (store) => store.get(KEY)).catch(() => undefined),
  write: (copy) => inStore("readwrite", (store) => store.put(copy, KEY)).then(nothing, nothing),
  remove: () => inStore("readwrite", (store) => store.delete(KEY)).then(nothing, nothing),
};

const nothing = () => {};

async function inStore<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = (await done(opening)) as IDBDatabase;
  try {
    return (await done(ask(database.transaction(STORE, mode).objectStore(STORE)))) as T;
  } finally {
    database.close();
  }
}

const done = (request: IDBRequest): Promise<unknown> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Removes the copy of anybody else: what one person read is not for whoever uses the browser next. */
export async function keepCopyOnlyOf(userId: number | undefined, storage: CopyStorage = browserCopies): Promise<void> {
  const copy = await storage.read();
  if (copy && copy.userId !== userId) await storage.remove();
}
