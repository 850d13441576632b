import type { WireAttachment } from "../presenters/attachments.ts";
import type { KeylessBot } from "../presenters/bots.ts";
import type { WireChannel } from "../presenters/channels.ts";
import type { CapabilityName } from "../presenters/client-capabilities.ts";
import type { WireEmoji } from "../presenters/emoji.ts";
import type { WireExport } from "../presenters/exports.ts";
import type { WireMessage } from "../presenters/messages.ts";
import type { WireClientPresence, WirePresence } from "../presenters/presence.ts";
import type { WireReminder } from "../presenters/reminders.ts";
import type { WireScheduledMessage } from "../presenters/scheduled-messages.ts";
import type { WireSubscription } from "../presenters/subscriptions.ts";
import type { WireMutedTopic } from "../presenters/topics.ts";
import type { WireUserGroup } from "../presenters/user-groups.ts";
import type { StatusFields } from "../presenters/user-statuses.ts";
import type { WireUser } from "../presenters/users.ts";
import type { WireWebhookDelivery } from "../presenters/webhook-deliveries.ts";
import type { WireReceipt } from "../presenters/webhook-receipts.ts";
import type { WireChannelFolder } from "../queries/channel-folders.ts";
import type { WireDefaultStreamGroup } from "../queries/default-stream-groups.ts";
import type { WireDraft } from "../queries/drafts.ts";
import type { WireLinkifier } from "../queries/linkifiers.ts";
import type { WireMutedUser } from "../queries/muted-users.ts";
import type { WireNavigationView } from "../queries/navigation-views.ts";
import type { WireOnboardingStep } from "../queries/onboarding-steps.ts";
import type { OrganizationPictureName } from "../queries/organization.ts";
import type { WireDomain } from "../queries/organization-domains.ts";
import type { WirePlayground } from "../queries/playgrounds.ts";
import type { WireProfileField } from "../queries/profile-fields.ts";
import type { WireReaction } from "../queries/reactions.ts";
import type { WireSavedSnippet } from "../queries/saved-snippets.ts";
import type { WireSubmessage } from "../queries/submessages.ts";
import type { PersonalSettings, SubscriptionProperty } from "../queries/subscriptions.ts";
import type { Policy } from "../queries/topics.ts";
import type { Role } from "../queries/users.ts";

/**
 * Every event type, once: the canonical form in which actions emit it and the log stores it. The wire forms, which depend
 * on what a client can read, are in forms.ts. When each is sent: docs/protocol.md#event-types.
 */
export interface Events {
  message: {
    type: "message";
    /** `content` is the rendered HTML, `subject` the topic itself ("" where it is empty). */
    message: WireMessage;
    raw_content: string;
    flags: string[];
    /** What replaces the sender for users who may not know of them. Not on the wire. */
    hidden_sender?: { from: number[]; as: Pick<WireMessage, "sender_email" | "sender_full_name" | "avatar_url"> };
  };
  update_message_flags: {
    type: "update_message_flags";
    op: "add" | "remove";
    operation: "add" | "remove";
    flag: string;
    messages: number[];
    all: boolean;
    /** When `read` is removed: what a client needs to count them as unread again. */
    message_details?: Record<string, MessageDetails>;
  };
  update_message: {
    type: "update_message";
    user_id: number | null;
    rendering_only: boolean;
    message_id: number;
    message_ids: number[];
    flags: string[];
    edit_timestamp: number;
    stream_id?: number;
    stream_name?: string;
    new_stream_id?: number;
    propagate_mode?: string;
    orig_subject?: string;
    subject?: string;
    topic_links?: WireMessage["topic_links"];
    orig_content?: string;
    orig_rendered_content?: string;
    content?: string;
    rendered_content?: string;
    is_me_message?: boolean;
  };
  reaction: {
    type: "reaction";
    op: "add" | "remove";
    user_id: number;
    /** Deprecated. */
    user: { user_id: number; email: string; full_name: string; is_mirror_dummy: boolean };
    /** Like `hidden_sender` of a message. Not on the wire. */
    hidden_user?: { from: number[]; as: { email: string; full_name: string } };
    message_id: number;
  } & Omit<WireReaction, "user_id">;
  submessage: { type: "submessage"; submessage_id: number } & Omit<WireSubmessage, "id">;
  /** Clients with `bulk_message_deletion` get one event for all messages, the others one for each. */
  delete_message: {
    type: "delete_message";
    message_type: "stream" | "private";
    stream_id?: number;
    topic?: string;
  } & ({ message_ids: number[] } | { message_id: number });
  realm:
    | { type: "realm"; op: "update"; property: string; value: unknown }
    /** Several fields at once, deprecated ones too. */
    | {
        type: "realm";
        op: "update_dict";
        /** A picture of the organization, or something else. */
        property: "default" | OrganizationPictureName;
        data: Record<string, unknown>;
      }
    | { type: "realm"; op: "deactivated"; realm_id: number };
  /** All exports, whenever one changes; to administrators. */
  realm_export: { type: "realm_export"; exports: WireExport[] };
  /** Somebody agreed to the export of what only they may read, or does not any more; to administrators. */
  realm_export_consent: { type: "realm_export_consent"; user_id: number; consented: boolean };
  /** All custom emoji by id, whenever one changes. */
  realm_emoji: { type: "realm_emoji"; op: "update"; realm_emoji: Record<string, WireEmoji> };
  realm_domains:
    | { type: "realm_domains"; op: "add" | "change"; realm_domain: WireDomain }
    | { type: "realm_domains"; op: "remove"; domain: string };
  /** The whole list. */
  realm_linkifiers: { type: "realm_linkifiers"; realm_linkifiers: WireLinkifier[] };
  /** Deprecated, and always empty: for clients that cannot read `realm_linkifiers`. */
  realm_filters: { type: "realm_filters"; realm_filters: [] };
  /** The whole list. */
  realm_playgrounds: { type: "realm_playgrounds"; realm_playgrounds: WirePlayground[] };
  realm_user_settings_defaults: {
    type: "realm_user_settings_defaults";
    op: "update";
    property: string;
    value: unknown;
  };
  user_settings: { type: "user_settings"; op: "update"; property: string; value: unknown; language_name?: string };
  /** Beside `user_settings`, for clients that do not know it. */
  update_display_settings: {
    type: "update_display_settings";
    user: string;
    setting_name: string;
    setting: unknown;
    language_name?: string;
  };
  update_global_notifications: {
    type: "update_global_notifications";
    user: string;
    notification_name: string;
    setting: unknown;
  };
  /** For those who manage the bot. The key is in no log: it is added when the event is delivered. */
  realm_bot:
    | { type: "realm_bot"; op: "add"; bot: KeylessBot }
    | { type: "realm_bot"; op: "update"; bot: { user_id: number } & Partial<KeylessBot>; with_key?: true }
    | { type: "realm_bot"; op: "delete"; bot: { user_id: number } };
  /** For Hearth's own pages. */
  webhook_delivery: { type: "webhook_delivery"; op: "add" | "update"; delivery: WireWebhookDelivery };
  webhook_receipt: { type: "webhook_receipt"; op: "add"; receipt: WireReceipt };
  /** That GET /host/bots/{bot_id} answers something else: it holds secrets, which are in no log. */
  webhook_settings: { type: "webhook_settings"; op: "update"; bot_id: number };
  /** That GET /host/sign-ins answers something else of this person. */
  sign_ins: { type: "sign_ins"; op: "update"; user_id: number };
  realm_user: ForClientsWith<"user_list_incomplete"> &
    (
      | { type: "realm_user"; op: "add"; person: WireUser }
      | { type: "realm_user"; op: "remove"; person: { user_id: number; full_name: string } }
      | { type: "realm_user"; op: "update"; person: PersonChange }
    );
  user_group: ForClientsWith<"include_deactivated_groups"> &
    (
      | { type: "user_group"; op: "add"; group: WireUserGroup }
      | { type: "user_group"; op: "update"; group_id: number; data: Partial<WireUserGroup> }
      | { type: "user_group"; op: "remove"; group_id: number }
      | { type: "user_group"; op: "add_members" | "remove_members"; group_id: number; user_ids: number[] }
      | {
          type: "user_group";
          op: "add_subgroups" | "remove_subgroups";
          group_id: number;
          direct_subgroup_ids: number[];
        }
    );
  subscription: ForClientsWith<"archived_channels"> &
    (
      | {
          type: "subscription";
          op: "add";
          subscriptions: WireSubscription[];
          /** By user id: the settings of each subscription that differ for them. Not on the wire. */
          own?: Record<string, Partial<PersonalSettings>[]>;
          /** By user id: what replaces null in notification settings for clients that cannot read null. Not on the wire. */
          inherited?: Record<string, number>;
        }
      | {
          type: "subscription";
          op: "update";
          stream_id: number;
          property: SubscriptionProperty;
          value: boolean | string;
        }
      | { type: "subscription"; op: "remove"; subscriptions: { stream_id: number; name: string }[] }
      | { type: "subscription"; op: "peer_add" | "peer_remove"; stream_ids: number[]; user_ids: number[] }
    );
  stream: ForClientsWith<"archived_channels"> &
    (
      | { type: "stream"; op: "create"; streams: WireChannel[] }
      | { type: "stream"; op: "delete"; streams: { stream_id: number }[]; stream_ids: number[] }
      | {
          type: "stream";
          op: "update";
          stream_id: number;
          /** The name that clients know: the old one in a rename. */
          name: string;
          property: keyof WireChannel;
          value: unknown;
          /** With `description`. */
          rendered_description?: string;
          /** With `invite_only`: one event for the three fields. */
          history_public_to_subscribers?: boolean;
          is_web_public?: boolean;
        }
    );
  default_streams: { type: "default_streams"; default_streams: number[] };
  /** All groups, whenever one changes. */
  default_stream_groups: { type: "default_stream_groups"; default_stream_groups: WireDefaultStreamGroup[] };
  channel_folder:
    | { type: "channel_folder"; op: "add"; channel_folder: WireChannelFolder }
    | { type: "channel_folder"; op: "update"; channel_folder_id: number; data: Partial<WireChannelFolder> }
    | { type: "channel_folder"; op: "reorder"; order: number[] };
  drafts:
    | { type: "drafts"; op: "add"; drafts: WireDraft[] }
    | { type: "drafts"; op: "update"; draft: WireDraft }
    | { type: "drafts"; op: "remove"; draft_id: number };
  /** To the owner of an upload. */
  attachment:
    | { type: "attachment"; op: "add" | "update"; attachment: WireAttachment; upload_space_used: number }
    | { type: "attachment"; op: "remove"; attachment: { id: number }; upload_space_used: number };
  saved_snippets:
    | { type: "saved_snippets"; op: "add" | "update"; saved_snippet: WireSavedSnippet }
    | { type: "saved_snippets"; op: "remove"; saved_snippet_id: number };
  scheduled_messages:
    | { type: "scheduled_messages"; op: "add"; scheduled_messages: WireScheduledMessage[] }
    | { type: "scheduled_messages"; op: "update"; scheduled_message: WireScheduledMessage }
    | { type: "scheduled_messages"; op: "remove"; scheduled_message_id: number };
  reminders:
    | { type: "reminders"; op: "add"; reminders: WireReminder[] }
    | { type: "reminders"; op: "remove"; reminder_id: number };
  user_topic: {
    type: "user_topic";
    stream_id: number;
    topic_name: string;
    last_updated: number;
    visibility_policy: Policy;
  };
  /** All muted topics of a person, for clients that do not name `user_topic`. */
  muted_topics: { type: "muted_topics"; muted_topics: WireMutedTopic[] };
  /** The full list of a person, whenever it changes. */
  alert_words: { type: "alert_words"; alert_words: string[] };
  muted_users: { type: "muted_users"; muted_users: WireMutedUser[] };
  onboarding_steps: { type: "onboarding_steps"; onboarding_steps: WireOnboardingStep[] };
  navigation_view:
    | { type: "navigation_view"; op: "add"; navigation_view: WireNavigationView }
    | { type: "navigation_view"; op: "update"; fragment: string; data: { is_pinned?: boolean; name?: string } }
    | { type: "navigation_view"; op: "remove"; fragment: string };
  /** All fields of the organization, whenever one changes. */
  custom_profile_fields: { type: "custom_profile_fields"; fields: WireProfileField[] };
  /** The fields that changed; an empty text clears one. */
  user_status: { type: "user_status"; user_id: number } & Partial<StatusFields>;
  /** Somebody came, went idle or came back. Holds both forms: each client gets the one that it reads. */
  presence: {
    type: "presence";
    user_id: number;
    email: string;
    /** UNIX seconds. */
    server_timestamp: number;
    /** By client name; Hearth reports all programs of a person as one. */
    presence: Record<string, WireClientPresence>;
    presences: Record<string, WirePresence>;
  };
  typing: {
    type: "typing";
    op: "start" | "stop";
    sender: { user_id: number; email: string };
  } & (
    | { message_type: "direct"; recipients: { user_id: number; email: string }[] }
    | { message_type: "stream"; stream_id: number; topic: string }
  );
  typing_edit_message: {
    type: "typing_edit_message";
    op: "start" | "stop";
    sender_id: number;
    message_id: number;
    recipient: { type: "direct"; user_ids: number[] } | { type: "channel"; channel_id: number; topic: string };
  };
  /** Clients fetch the list of invitations again. */
  invites_changed: { type: "invites_changed" };
  heartbeat: { type: "heartbeat" };
  /** Never sent: it ends all queues of its audience, so that their clients register again. */
  start_anew: { type: "start_anew" };
}

/** What changed about a person; one change per event. */
export type PersonChange = { user_id: number } & (
  | { full_name: string }
  | { role: Role }
  | { is_active: boolean }
  | { bot_owner_id: number }
  | { avatar_url: string; avatar_source: "G" | "U"; avatar_url_medium: string; avatar_version: number }
  | { delivery_email: string | null }
  | { new_email: string }
  | { email: string; timezone: string }
  | { custom_profile_field: { id: number; value: string | null; rendered_value?: string } }
);

export type Event = Events[keyof Events];
export type EventType = keyof Events;

/**
 * Where the field is present, the event goes only to clients whose capability has this value: the others get another
 * event for the same change. Not on the wire.
 */
// Not an interface: what the log stores has an index signature.
export type ForClientsWith<Name extends CapabilityName> = { [N in Name]?: boolean };

export interface MessageDetails {
  type: "private" | "stream";
  mentioned?: boolean;
  user_ids?: number[];
  stream_id?: number;
  topic?: string;
  unmuted_stream_msg?: boolean;
}

declare module "../storage/transaction.ts" {
  interface EventShapes extends Events {}
}
