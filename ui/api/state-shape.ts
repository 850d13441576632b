import type { Event } from "../../server/events/catalogue.ts";
import type { WireChannel } from "../../server/presenters/channels.ts";
import type { WireClientPresence, WirePresence } from "../../server/presenters/presence.ts";
import type { WireUnreadMessages } from "../../server/presenters/read-state.ts";
import type { WireReminder } from "../../server/presenters/reminders.ts";
import type { WireScheduledMessage } from "../../server/presenters/scheduled-messages.ts";
import type { WireSubscription } from "../../server/presenters/subscriptions.ts";
import type { WireMutedTopic, WireTopicPolicy } from "../../server/presenters/topics.ts";
import type { WireUserGroup } from "../../server/presenters/user-groups.ts";
import type { WireStatus } from "../../server/presenters/user-statuses.ts";
import type { WireUser } from "../../server/presenters/users.ts";
import type { WireChannelFolder } from "../../server/queries/channel-folders.ts";
import type { WireDefaultStreamGroup } from "../../server/queries/default-stream-groups.ts";
import type { WireDraft } from "../../server/queries/drafts.ts";
import type { WireMutedUser } from "../../server/queries/muted-users.ts";
import type { WireNavigationView } from "../../server/queries/navigation-views.ts";
import type { WireOnboardingStep } from "../../server/queries/onboarding-steps.ts";
import type { WireProfileField } from "../../server/queries/profile-fields.ts";
import type { WireSavedSnippet } from "../../server/queries/saved-snippets.ts";

export type Channel = WireChannel & { subscribers?: readonly number[]; partial_subscribers?: readonly number[] };

/** What POST /register answered with: parts that were not asked for are absent. */
export interface State {
  user_id?: number;
  max_message_id?: number;
  realm_users?: WireUser[];
  realm_non_active_users?: WireUser[];
  realm_user_groups?: WireUserGroup[];
  subscriptions?: WireSubscription[];
  unsubscribed?: WireSubscription[];
  never_subscribed?: Channel[];
  streams?: WireChannel[];
  realm_default_streams?: number[];
  realm_default_stream_groups?: WireDefaultStreamGroup[];
  channel_folders?: WireChannelFolder[];
  user_topics?: WireTopicPolicy[];
  muted_topics?: WireMutedTopic[];
  unread_msgs?: WireUnreadMessages;
  starred_messages?: number[];
  recent_private_conversations?: { max_message_id: number; user_ids: number[] }[];
  drafts?: WireDraft[];
  saved_snippets?: WireSavedSnippet[];
  scheduled_messages?: WireScheduledMessage[];
  reminders?: WireReminder[];
  alert_words?: string[];
  muted_users?: WireMutedUser[];
  onboarding_steps?: WireOnboardingStep[];
  navigation_views?: WireNavigationView[];
  custom_profile_fields?: WireProfileField[];
  user_status?: Record<string, WireStatus>;
  /** By user id, or by API email in the older form. */
  presences?: Record<string, WirePresence | Record<string, WireClientPresence>>;
  [other: string]: unknown;
}

export type Of<Type extends Event["type"]> = Extract<WireEvent, { type: Type }>;

/** An event as it comes from GET /events. */
export type WireEvent = Event & { readonly id: number };
