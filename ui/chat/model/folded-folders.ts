import { Store } from "../../api/store.ts";
import type { BrowserStorage } from "./outbox.ts";
import type { ChannelGroup, Subscription } from "./selectors.ts";

/** The ids of channel folders that are collapsed in this browser's sidebar. */
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
    } catch {} // storage is forbidden: kept until the page closes
  };

  #load(): ReadonlySet<number> {
    try {
      const ids: unknown = JSON.parse(this.#storage.getItem(this.#key) ?? "[]");
      return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === "number") : []);
    } catch {
      return new Set(); // storage is forbidden, or has an invalid value
    }
  }
}

/** The visible channels of a group: a collapsed group shows only the open channel. */
export const channelsShown = (
  { folderId, channels }: ChannelGroup,
  folded: ReadonlySet<number>,
  openId: number | undefined,
): readonly Subscription[] =>
  folderId !== undefined && folded.has(folderId) ? channels.filter(({ stream_id }) => stream_id === openId) : channels;
