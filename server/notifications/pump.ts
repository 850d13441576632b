import { clearNotifications } from "../api/actions/notifications.ts";
import { lastNotificationId, usersNotifiedOf, usersWithDevices } from "../api/queries/notifications.ts";
import { StorageClosed, StorageFailed, StorageFull } from "../storage/errors.ts";
import type { Published, Store } from "../storage/store.ts";

/**
 * Clears notifications of messages that were read or deleted. Listeners are called when the table of notifications has
 * new rows on disk: each device reads on from its own position.
 */
export class NotificationPump {
  readonly #store: Store;
  readonly #report: (message: string, error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  #announcedId: number;
  #isStopped = false;

  constructor({ store, report }: { store: Store; report: (message: string, error: unknown) => void }) {
    this.#store = store;
    this.#report = report;
    this.#announcedId = lastNotificationId(store.reader);
    store.onPublish((events) => {
      if (usersWithDevices(store.reader).size === 0) return;
      for (const published of events) this.#clear(published);
      this.announce();
    });
  }

  /** Returns a function that ends the subscription. */
  onNew(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the listeners if there are new notifications, when these are on disk. */
  announce(): void {
    const last = lastNotificationId(this.#store.reader);
    if (last <= this.#announcedId) return;
    this.#announcedId = last;
    const durable = this.#store.durable();
    if (!durable) {
      this.#callListeners();
      return;
    }
    durable.then(
      () => this.#callListeners(),
      () => {}, // the storage failed: the server ends
    );
  }

  stop(): void {
    this.#isStopped = true;
    this.#listeners.clear();
  }

  #callListeners(): void {
    if (this.#isStopped) return;
    for (const listener of this.#listeners) listener();
  }

  #clear({ event, users }: Published): void {
    const isDeletion = event.type === "delete_message";
    if (!isDeletion && !(event.type === "update_message_flags" && event["flag"] === "read" && event["op"] === "add"))
      return;
    const ids = (event["messages"] ?? event["message_ids"] ?? [event["message_id"]]) as number[];
    if (usersNotifiedOf(this.#store.reader, ids).length === 0) return;
    try {
      this.#store.transact({ actor: null, action: "clear notifications" }, (tx) =>
        clearNotifications(tx, ids, isDeletion ? undefined : users),
      );
    } catch (error) {
      const isStorage = [StorageFull, StorageFailed, StorageClosed].some((type) => error instanceof type);
      if (!isStorage) this.#report("Notifications could not be cleared", error);
    }
  }
}
