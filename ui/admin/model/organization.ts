import type { Client } from "../../api/client.ts";
import type { Live } from "../../api/live.ts";
import { liveTab } from "../../api/live-tab.ts";
import type { State, WireEvent } from "../../api/state-shape.ts";
import { Store } from "../../api/store.ts";

export type EventType = WireEvent["type"];

/** Everything except messages and their reactions, stars and read states. */
const EVENT_TYPES: EventType[] = [
  "realm",
  "realm_user",
  "realm_bot",
  "realm_emoji",
  "realm_domains",
  "realm_linkifiers",
  "realm_playgrounds",
  "realm_user_settings_defaults",
  "custom_profile_fields",
  "user_group",
  "user_settings",
  "stream",
  "subscription",
  "default_streams",
  "default_stream_groups",
  "channel_folder",
  "presence",
  "invites_changed",
  "webhook_delivery",
  "webhook_receipt",
  "webhook_settings",
  "sign_ins",
  "failing_address",
  "realm_export",
  "realm_export_consent",
];

/** Parts of /register whose events have a different name (docs/protocol.md#register). */
const OTHER_PARTS = ["realm_incoming_webhook_bots", "realm_user_groups", "channel_folders"];

/** The organization as the user sees it: the state of /register with its events applied. */
export class Organization {
  readonly state = new Store<State | undefined>(undefined);
  readonly #live: Live;
  readonly #listeners = new Set<(types: ReadonlySet<EventType>) => void>();

  /** Calls `onError` with an error while the server is unreachable, then with undefined. */
  constructor(client: Client, userId: number, onError: (error: unknown) => void = () => {}) {
    this.#live = liveTab().goLive({
      client,
      userId,
      onError,
      register: {
        event_types: EVENT_TYPES,
        fetch_event_types: [...EVENT_TYPES, ...OTHER_PARTS],
        slim_presence: true,
        presence_history_limit_days: 365,
        client_capabilities: {
          notification_settings_null: true,
          bulk_message_deletion: true,
          user_avatar_url_field_optional: false,
          user_settings_object: true,
          linkifier_url_template: true,
          user_list_incomplete: true,
          include_deactivated_groups: true,
          archived_channels: true,
          individual_emoji_changes: true,
        },
      },
      onState: (state, events) => {
        this.state.set(state);
        if (events.length === 0) return this.#report(new Set(EVENT_TYPES));
        this.#report(new Set(events.map(({ type }) => type)));
      },
    });
  }

  /** Calls `listener` with the types of new events; after a new registration, with all types. */
  onEvents(listener: (types: ReadonlySet<EventType>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tryNow(): void {
    this.#live.tryNow();
  }

  stop(): void {
    this.#live.stop();
  }

  #report(types: ReadonlySet<EventType>): void {
    for (const listener of [...this.#listeners]) listener(types);
  }
}
