import type { RegisterPart } from "./register-context.ts";

const FIELD_TYPES = {
  SHORT_TEXT: { id: 1, name: "Text (short)" },
  LONG_TEXT: { id: 2, name: "Text (long)" },
  SELECT: { id: 3, name: "List of options" },
  DATE: { id: 4, name: "Date" },
  LINK: { id: 5, name: "Link" },
  USER: { id: 6, name: "Users" },
  EXTERNAL_ACCOUNT: { id: 7, name: "External account" },
  PRONOUNS: { id: 8, name: "Pronouns" },
};

/**
 * Parts of /register for nouns of which nobody can have any yet. Each leaves this file for its noun's own when its
 * issue lets people make one. By fetch name; contract/register.json, with newer.json.
 */
export const registerParts: Record<string, RegisterPart> = {
  alert_words: () => ({ alert_words: [] }), // come with alert words
  channel_folders: () => ({ channel_folders: [] }), // come with channel folders
  custom_profile_fields: () => ({ custom_profile_fields: [], custom_profile_field_types: FIELD_TYPES }), // with profile fields
  default_stream_groups: () => ({ realm_default_stream_groups: [] }), // no client makes them any more
  giphy: () => ({ giphy_api_key: "" }), // nothing is asked of the internet
  muted_users: () => ({ muted_users: [] }), // come with muted users
  navigation_views: () => ({ navigation_views: [] }), // come with navigation views
  onboarding_steps: () => ({ onboarding_steps: [], navigation_tour_video_url: null }), // come with the chat page
  presence: ({ now }) => ({ presences: {}, presence_last_update_id: -1, server_timestamp: now / 1000 }), // with presence
  push_device: () => ({ push_devices: {} }), // come with a push service
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }), // nothing is billed
  realm_bot: () => ({ realm_bots: [] }), // come with bots
  realm_embedded_bots: () => ({ realm_embedded_bots: [] }), // come with bots
  realm_emoji: () => ({ realm_emoji: {} }), // come with emoji
  realm_filters: () => ({ realm_filters: [] }), // always empty: replaced by linkifiers
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: [] }), // come with bots
  realm_linkifiers: () => ({ realm_linkifiers: [] }), // come with linkifiers
  realm_playgrounds: () => ({ realm_playgrounds: [] }), // come with linkifiers
  stop_words: () => ({ stop_words: [] }), // come with search
  user_status: () => ({ user_status: {} }), // comes with statuses
  video_calls: () => ({ has_zoom_token: false }), // no video call service knows us
};
