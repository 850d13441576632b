import { Store } from "../../api/store.ts";
import type { BrowserStorage } from "./outbox.ts";
import type { ChannelGroup, Subscription } from "./selectors.ts";

/** Which channel folders somebody has folded in the sidebar of this browser, by their ids. */
export class FoldedFolders {
  readonly store: Store<ReadonlySet<number>>;
  readonly #storage: BrowserStorage;
  readonly #key: string;

  constructor({ storage, userId }: { storage: BrowserStorage; userId: number }) {
    this.#storage = storage;
    this.#key = `hearth-folded-${userId}`;
    this.store = new Store(this.#load());
  }

  toggle = (folderId: number): void => {
    const ids = new Set(this.store.value);
    if (!ids.delete(folderId)) ids.add(folderId);
    this.store.set(ids);
    try {
      this.#storage.setItem(this.#key, JSON.stringify([...ids]));
    } catch {} // forbidden: for as long as the page is open
  };

  #load(): ReadonlySet<number> {
    try {
      const ids: unknown = JSON.parse(this.#storage.getItem(this.#key) ?? "[]");
      return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === "number") : []);
    } catch {
      return new Set(); // storage may be forbidden, or hold something else
    }
  }
}

/** The channels of a group that the sidebar shows: of a folded one, that which is open. */
export const channelsShown = (
  { folderId, channels }: ChannelGroup,
  folded: ReadonlySet<number>,
  openId: number | undefined,
): readonly Subscription[] =>
  folderId !== undefined && folded.has(folderId) ? channels.filter(({ stream_id }) => stream_id === openId) : channels;
