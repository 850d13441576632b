import type { RegisterPart } from "./register-context.ts";

/**
 * Parts of /register for nouns of which nobody can have any yet. Each leaves this file for its noun's own when its
 * issue lets people make one. By fetch name: docs/protocol.md#register.
 */
export const registerParts: Record<string, RegisterPart> = {
  giphy: () => ({ giphy_api_key: "" }), // nothing is asked of the internet
  push_device: () => ({ push_devices: {} }), // come with a push service
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }), // nothing is billed
  realm_bot: () => ({ realm_bots: [] }), // come with bots
  realm_embedded_bots: () => ({ realm_embedded_bots: [] }), // come with bots
  realm_emoji: () => ({ realm_emoji: {} }), // come with emoji
  realm_filters: () => ({ realm_filters: [] }), // always empty: replaced by linkifiers
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: [] }), // come with bots
  realm_linkifiers: () => ({ realm_linkifiers: [] }), // come with linkifiers
  realm_playgrounds: () => ({ realm_playgrounds: [] }), // come with linkifiers
  stop_words: () => ({ stop_words: [] }), // search leaves out no word
  video_calls: () => ({ has_zoom_token: false }), // no video call service knows us
};
