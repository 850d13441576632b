import { z } from "zod";

interface Capability {
  /** The effect on clients with the capability. Keep it in sync with docs/protocol.md#client-capabilities. */
  readonly effect: string;
  /** The value if the client omits the capability. */
  readonly initial: boolean;
  /** The value in event queues that were stored before Hearth supported the capability. */
  readonly inOlderQueues: boolean;
}

const capability = (effect: string, { inOlderQueues = false } = {}): Capability => ({
  effect,
  initial: false,
  inOlderQueues,
});

/** All keys of `client_capabilities`, which describes what a client can read. */
export const clientCapabilities = {
  notification_settings_null: capability(
    "a channel's notification settings may be `null`; else filled in from the user's settings",
    { inOlderQueues: true },
  ),
  bulk_message_deletion: capability(
    "one `delete_message` with `message_ids`; else one event with `message_id` for each message",
  ),
  user_avatar_url_field_optional: capability("accepted; Hearth always sends the field"),
  stream_typing_notifications: capability("`typing` events of channels"),
  user_settings_object: capability("settings only in `user_settings`; else also in the older parts and events"),
  linkifier_url_template: capability("[linkifiers](#linkifiers); else an empty list"),
  user_list_incomplete: capability("hidden people are omitted; else they appear as placeholders"),
  include_deactivated_groups: capability("`update` with `deactivated`; else such a group is removed and added"),
  archived_channels: capability("archived channels are listed; else an archived channel is deleted and created"),
  empty_topic_name: capability('the [empty topic](#empty-topic) is `""`; else its display name'),
  simplified_presence_events: capability("`presence` events as `{presences}`"),
  individual_emoji_changes: capability("`realm_emoji` events with one emoji; else with all"),
};
export type CapabilityName = keyof typeof clientCapabilities;
export type ClientCapabilities = Readonly<Record<CapabilityName, boolean>>;

const forEachName = <T>(make: (capability: Capability, name: CapabilityName) => T): Record<CapabilityName, T> =>
  Object.fromEntries(
    Object.entries(clientCapabilities).map(([name, one]) => [name, make(one, name as CapabilityName)]),
  ) as Record<CapabilityName, T>;

/** The parameter `client_capabilities`. Ignores unknown names, since newer clients send more. */
export const capabilitiesInput = z
  .object(forEachName(({ effect }) => z.boolean().exactOptional().describe(effect)))
  .catchall(z.unknown());

/** All capabilities, with defaults for the ones that the client omits. */
export const capabilitiesIn = (given: Partial<ClientCapabilities> = {}): ClientCapabilities =>
  forEachName(({ initial }, name) => given[name] ?? initial);

/** The form that is stored with an event queue. */
export const storedCapabilities = forEachName(({ inOlderQueues }) => z.boolean().default(inOlderQueues));
