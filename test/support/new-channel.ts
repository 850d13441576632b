import type { createChannel } from "../../server/api/actions/channels.ts";

type Input = Parameters<typeof createChannel>[2];

/** What `createChannel` takes for a public channel with nothing special about it, but its name. */
export const PUBLIC_CHANNEL = {
  description: "",
  rendered_description: "",
  invite_only: false,
  is_web_public: false,
  history_public_to_subscribers: true,
  message_retention_days: null,
  topics_policy: "inherit",
  is_default: false,
  groups: {},
} as const satisfies Omit<Input, "name">;
