import type { createChannel } from "../../server/api/actions/channels.ts";

type Input = Parameters<typeof createChannel>[2];

/** The input of `createChannel` for a plain public channel, without the name. */
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
