import type { State } from "../../api/state-shape.ts";
import type { Message } from "./feed-state.ts";

/** The data that the page shows while the server is unreachable. */
export interface OfflineCopy {
  readonly userId: number;
  readonly state: State;
  /** Ascending by id, from several conversations, with gaps. */
  readonly messages: readonly Message[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface CopyStorage {
  read(): Promise<OfflineCopy | undefined>;
  write(copy: OfflineCopy): Promise<void>;
  remove(): Promise<void>;
}

const DATABASE = "hearth-offline";
const STORE = "copies";
/** A browser is signed in as one user, so there is one copy. */
const KEY = "chat";

/** Fields with credentials: keys of bots, and of services that the organization uses. */
const SECRET = /(?:^|_)(?:api_key|token|password|secret)$/;

/** A state without credentials, because other users of the machine may read the browser's files. */
export function withoutSecrets<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutSecrets) as T;
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name, field]) => typeof field !== "string" || !SECRET.test(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutSecrets(field)])) as T;
}

/** Uses IndexedDB, which works over plain HTTP too. There is no copy if it is forbidden or full. */
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

/** Removes the copy of another user, so that the next user of the browser cannot read it. */
export async function removeCopyOfOthers(
  userId: number | undefined,
  storage: CopyStorage = browserCopies,
): Promise<void> {
  const copy = await storage.read();
  if (copy && copy.userId !== userId) await storage.remove();
}
