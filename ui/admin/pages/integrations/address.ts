export interface AddressParts {
  /** The server's URL, without a trailing slash. */
  server: string;
  /** The service's name in the URL. */
  integration: string;
  key: string;
  /** A channel's name; undefined for a direct message to the bot's owner. */
  channel: string | undefined;
  /** If empty, the service chooses the topic. */
  topic: string;
  /** Undefined for all events. */
  events: { filter: "only_events" | "exclude_events"; names: readonly string[] } | undefined;
  /** By key; empty values are omitted. */
  options: Readonly<Record<string, string>>;
}

/** The URL that a service posts to (docs/protocol.md#incoming-webhooks). */
export function webhookAddress({ server, integration, key, channel, topic, events, options }: AddressParts): string {
  const query = new URLSearchParams({ api_key: key });
  if (channel !== undefined) query.set("stream", channel);
  if (topic.trim() !== "") query.set("topic", topic.trim());
  if (events && events.names.length > 0) query.set(events.filter, JSON.stringify(events.names));
  for (const [name, value] of Object.entries(options)) if (value.trim() !== "") query.set(name, value.trim());
  return `${server}/api/v1/external/${encodeURIComponent(integration)}?${query}`;
}
