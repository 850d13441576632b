import { botsChanged } from "./bots-state.ts";
import { channelFoldersChanged, channelsChanged, subscriptionsChanged } from "./channels-state.ts";
import { userGroupsChanged } from "./groups-state.ts";
import { flagsChanged, messageArrived, messagesDeleted, messagesEdited } from "./messages-state.ts";
import {
  navigationViewsChanged,
  presenceChanged,
  profileFieldsChanged,
  statusChanged,
  withoutHiddenPerson,
} from "./people-state.ts";
import { draftsChanged, remindersChanged, savedSnippetsChanged, scheduledMessagesChanged } from "./saved-state.ts";
import {
  defaultSettingChanged,
  domainsChanged,
  emojiChanged,
  legacySettingChanged,
  organizationChanged,
  peopleChanged,
  userSettingChanged,
  withOwnPermissions,
} from "./settings-state.ts";
import type { State, WireEvent } from "./state-shape.ts";
import { topicPolicyChanged, withMutedTopics } from "./topics-state.ts";

/**
 * Returns the state after an event. Unchanged parts stay the same objects. The server's tests check that after any
 * action, a fresh /register equals the older state with its events applied.
 */
export function applyEvent(state: State, event: WireEvent): State {
  switch (event.type) {
    case "message":
      return messageArrived(state, event);
    case "update_message_flags":
      return flagsChanged(state, event);
    case "update_message":
      return messagesEdited(state, event);
    case "delete_message":
      return messagesDeleted(state, "message_ids" in event ? event.message_ids : [event.message_id]);
    case "realm_user":
      return peopleChanged(withoutHiddenPerson(state, event), event);
    case "realm_bot":
      return botsChanged(state, event);
    case "realm":
      return organizationChanged(state, event);
    case "realm_emoji":
      return emojiChanged(state, event);
    case "realm_domains":
      return domainsChanged(state, event);
    case "realm_linkifiers":
      return { ...state, ...(state.realm_linkifiers && { realm_linkifiers: event.realm_linkifiers }) };
    case "realm_filters":
      return { ...state, ...(state.realm_filters && { realm_filters: event.realm_filters }) };
    case "realm_playgrounds":
      return { ...state, ...(state.realm_playgrounds && { realm_playgrounds: event.realm_playgrounds }) };
    case "realm_user_settings_defaults":
      return defaultSettingChanged(state, event);
    case "user_settings":
      return userSettingChanged(state, event);
    case "update_display_settings":
    case "update_global_notifications":
      return legacySettingChanged(state, event);
    case "user_group":
      return withOwnPermissions(userGroupsChanged(state, event));
    case "subscription":
      return subscriptionsChanged(state, event);
    case "stream":
      return withMutedTopics(channelsChanged(state, event));
    case "user_topic":
      return topicPolicyChanged(state, event);
    case "muted_topics":
      return { ...state, ...(state.muted_topics && { muted_topics: event.muted_topics }) };
    case "default_streams":
      return { ...state, ...(state.realm_default_streams && { realm_default_streams: event.default_streams }) };
    case "default_stream_groups": {
      const realm_default_stream_groups = event.default_stream_groups;
      return { ...state, ...(state.realm_default_stream_groups && { realm_default_stream_groups }) };
    }
    case "channel_folder":
      return channelFoldersChanged(state, event);
    case "drafts":
      return draftsChanged(state, event);
    case "saved_snippets":
      return savedSnippetsChanged(state, event);
    case "scheduled_messages":
      return scheduledMessagesChanged(state, event);
    case "reminders":
      return remindersChanged(state, event);
    case "alert_words":
      return { ...state, ...(state.alert_words && { alert_words: event.alert_words }) };
    case "muted_users":
      return { ...state, ...(state.muted_users && { muted_users: event.muted_users }) };
    case "onboarding_steps":
      return { ...state, ...(state.onboarding_steps && { onboarding_steps: event.onboarding_steps }) };
    case "navigation_view":
      return navigationViewsChanged(state, event);
    case "custom_profile_fields":
      return profileFieldsChanged(state, event);
    case "user_status":
      return statusChanged(state, event);
    case "presence":
      return presenceChanged(state, event);
    case "attachment":
    case "reaction":
    case "submessage":
    case "webhook_delivery":
    case "webhook_receipt":
    case "webhook_settings":
    case "sign_ins":
    case "failing_address":
    case "ntfy_topic":
    case "web_push_devices":
    case "realm_export":
    case "realm_export_consent":
    case "invites_changed":
    case "typing":
    case "typing_edit_message":
    case "heartbeat":
    case "start_anew":
      return state;
    default:
      return unknownEvent(state, event);
  }
}

/** An event type without a case does not compile. An unknown event of a newer server changes nothing. */
const unknownEvent = (state: State, _event: never): State => state;
