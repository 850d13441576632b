import type { WireAttachment } from "../api/presenters/attachments.ts";
import type { KeylessBot } from "../api/presenters/bots.ts";
import type { WireChannelFolder } from "../api/presenters/channel-folders.ts";
import type { WireChannel } from "../api/presenters/channels.ts";
import type { CapabilityName } from "../api/presenters/client-capabilities.ts";
import type { WireDefaultStreamGroup } from "../api/presenters/default-stream-groups.ts";
import type { WireDraft } from "../api/presenters/drafts.ts";
import type { WireEmoji } from "../api/presenters/emoji.ts";
import type { WireExport } from "../api/presenters/exports.ts";
import type { WireLinkifier } from "../api/presenters/linkifiers.ts";
import type { WireMessage, WireReaction, WireSubmessage } from "../api/presenters/messages.ts";
import type { WireMutedUser } from "../api/presenters/muted-users.ts";
import type { WireNavigationView } from "../api/presenters/navigation-views.ts";
import type { WireOnboardingStep } from "../api/presenters/onboarding-steps.ts";
import type { WireDomain } from "../api/presenters/organization.ts";
import type { WirePlayground } from "../api/presenters/playgrounds.ts";
import type { WireClientPresence, WirePresence } from "../api/presenters/presence.ts";
import type { WireProfileField } from "../api/presenters/profile-fields.ts";
import type { WireReminder } from "../api/presenters/reminders.ts";
import type { WireSavedSnippet } from "../api/presenters/saved-snippets.ts";
import type { WireScheduledMessage } from "../api/presenters/scheduled-messages.ts";
import type { WireSubscription } from "../api/presenters/subscriptions.ts";
import type { WireMutedTopic } from "../api/presenters/topics.ts";
import type { WireUserGroup } from "../api/presenters/user-groups.ts";
import type { StatusFields } from "../api/presenters/user-statuses.ts";
import type { WireUser } from "../api/presenters/users.ts";
import type { WireWebhookDelivery } from "../api/presenters/webhook-deliveries.ts";
import type { WireReceipt } from "../api/presenters/webhook-receipts.ts";
import type { OrganizationPictureName } from "../api/queries/organization.ts";
import type { PersonalSettings, SubscriptionProperty } from "../api/queries/subscriptions.ts";
import type { Policy } from "../api/queries/topics.ts";
import type { Role } from "../api/queries/users.ts";

/**
 * Every event type, once: the canonical form in which actions emit it and the log stores it. The wire forms, which depend
 * on what a client can read, are in forms.ts. `npm run docs` copies the comments into docs/protocol.md#event-types.
 */
export interface Events {
  /** A new message: `message`, `flags`, and `local_id` on the queue that sent it. */
  message: {
    type: "message";
    /** `content` is the rendered HTML, `subject` the topic itself ("" where it is empty). */
    message: WireMessage;
    raw_content: string;
    flags: string[];
    /** Replaces the sender for users who must not see them. Not on the wire. */
    hidden_sender?: { from: number[]; as: Pick<WireMessage, "sender_email" | "sender_full_name" | "avatar_url"> };
  };
  /**
   * Flags of `messages` change. When `read` is removed, `message_details` maps message ids to the fields that a
   * client needs to count a message as unread: `type`, `mentioned`, and `user_ids` of the others or `stream_id` and
   * `topic`.
   */
  update_message_flags: {
    type: "update_message_flags";
    op: "add" | "remove";
    operation: "add" | "remove";
    flag: string;
    messages: number[];
    all: boolean;
    /** When `read` is removed: the fields that a client needs to count them as unread again. */
    message_details?: Record<string, MessageDetails>;
  };
  /** A message is edited or moved. With `rendering_only`, only its HTML changed. */
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
  /** A reaction is added or removed. */
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
  /** A widget message (a poll or a to-do list) gets another submessage. */
  submessage: { type: "submessage"; submessage_id: number } & Omit<WireSubmessage, "id">;
  /**
   * Messages are deleted. Clients with `bulk_message_deletion` get one event for all of them, other clients one for
   * each.
   */
  delete_message: {
    type: "delete_message";
    message_type: "stream" | "private";
    stream_id?: number;
    topic?: string;
  } & ({ message_ids: number[] } | { message_id: number });
  /**
   * Settings of the organization change. `update_dict` is for group settings, for settings with an older name, for
   * editing and signing in, for `max_file_upload_size_mib` and `upload_quota_mib`, and for pictures (`property` is
   * `icon`, `logo` or `night_logo`).
   */
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
  /** All [exports](#exports), whenever one changes. For administrators. */
  realm_export: { type: "realm_export"; exports: WireExport[] };
  /** A person allows or forbids the export of their private data (`consented`). For administrators. */
  realm_export_consent: { type: "realm_export_consent"; user_id: number; consented: boolean };
  /**
   * A [custom emoji](#custom-emoji) is added or deactivated. `update` has all emoji by id, and `update_one` the changed
   * fields of one.
   */
  realm_emoji:
    | { type: "realm_emoji"; op: "update"; realm_emoji: Record<string, WireEmoji> }
    | { type: "realm_emoji"; op: "add"; emoji: WireEmoji }
    | { type: "realm_emoji"; op: "update_one"; emoji_id: string; data: { deactivated: boolean } };
  /** The list of allowed email domains changes. */
  realm_domains:
    | { type: "realm_domains"; op: "add" | "change"; realm_domain: WireDomain }
    | { type: "realm_domains"; op: "remove"; domain: string };
  /** All linkifiers, whenever one changes. Empty for clients without `linkifier_url_template`. */
  realm_linkifiers: { type: "realm_linkifiers"; realm_linkifiers: WireLinkifier[] };
  /** Deprecated and always empty: for clients that cannot read `realm_linkifiers`. */
  realm_filters: { type: "realm_filters"; realm_filters: [] };
  /** All playgrounds, whenever one changes. */
  realm_playgrounds: { type: "realm_playgrounds"; realm_playgrounds: WirePlayground[] };
  /** A default setting for new people changes. */
  realm_user_settings_defaults: {
    type: "realm_user_settings_defaults";
    op: "update";
    property: string;
    value: unknown;
  };
  /** One of the caller's own settings changes. */
  user_settings: { type: "user_settings"; op: "update"; property: string; value: unknown; language_name?: string };
  /** Deprecated: sent with `user_settings` to clients without `user_settings_object`. */
  update_display_settings: {
    type: "update_display_settings";
    user: string;
    setting_name: string;
    setting: unknown;
    language_name?: string;
  };
  /** Deprecated: sent with `user_settings` to clients without `user_settings_object`. */
  update_global_notifications: {
    type: "update_global_notifications";
    user: string;
    notification_name: string;
    setting: unknown;
  };
  /** A bot changes. For people who manage it. The API key is not in the log: the delivery adds it. */
  realm_bot:
    | { type: "realm_bot"; op: "add"; bot: KeylessBot }
    | { type: "realm_bot"; op: "update"; bot: { user_id: number } & Partial<KeylessBot>; with_key?: true }
    | { type: "realm_bot"; op: "delete"; bot: { user_id: number } };
  /** The state of a [delivery](#outgoing-webhooks). For people who manage the bot, in Hearth's own pages only. */
  webhook_delivery: { type: "webhook_delivery"; op: "add" | "update"; delivery: WireWebhookDelivery };
  /**
   * A request to an [incoming webhook](#incoming-webhooks), without its payload. For people who manage the bot, in
   * Hearth's own pages only.
   */
  webhook_receipt: { type: "webhook_receipt"; op: "add"; receipt: WireReceipt };
  /**
   * The response of `GET /host/bots/{bot_id}` changes (paused, failing, a secret). For people who manage the bot, in
   * Hearth's own pages only.
   */
  webhook_settings: { type: "webhook_settings"; op: "update"; bot_id: number };
  /** The sessions of `user_id` change. For people who can change them, in Hearth's own pages only. */
  sign_ins: { type: "sign_ins"; op: "update"; user_id: number };
  /**
   * The mail server refuses the email address of `user_id`, or no longer does. For this user and people who can change
   * them, in Hearth's own pages only.
   */
  failing_address: { type: "failing_address"; op: "update"; user_id: number };
  /** The response of `GET /users/me/ntfy` changes. In Hearth's own pages only. */
  ntfy_topic: { type: "ntfy_topic"; op: "update" };
  /** The response of `GET /users/me/web_push` changes: a device or its state. For its owner, in Hearth's own pages only. */
  web_push_devices: { type: "web_push_devices"; op: "update" };
  /** A person is added, removed or changed. Each `update` has one change of a `person`. */
  realm_user: ForClientsWith<"user_list_incomplete"> &
    (
      | { type: "realm_user"; op: "add"; person: WireUser }
      | { type: "realm_user"; op: "remove"; person: { user_id: number; full_name: string } }
      | { type: "realm_user"; op: "update"; person: PersonChange }
    );
  /** A user group changes. */
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
  /**
   * The caller's own subscriptions change (`add`, `remove`, `update`), or those of others (`peer_add`,
   * `peer_remove`).
   */
  subscription: ForClientsWith<"archived_channels"> &
    (
      | {
          type: "subscription";
          op: "add";
          subscriptions: WireSubscription[];
          /** By user id: the settings of each subscription that differ for them. Not on the wire. */
          own?: Record<string, Partial<PersonalSettings>[]>;
          /** By user id: replaces null in notification settings for clients that cannot read null. Not on the wire. */
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
  /**
   * A channel becomes visible (`create`), becomes hidden or is deleted (`delete`), or changes one property
   * (`update`).
   */
  stream: ForClientsWith<"archived_channels"> &
    (
      | { type: "stream"; op: "create"; streams: WireChannel[] }
      | { type: "stream"; op: "delete"; streams: { stream_id: number }[]; stream_ids: number[] }
      | {
          type: "stream";
          op: "update";
          stream_id: number;
          /** The previous name in a rename. */
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
  /** All default channels, whenever the list changes. Not for guests. */
  default_streams: { type: "default_streams"; default_streams: number[] };
  /** All default channel groups, whenever one changes. Not for guests. */
  default_stream_groups: { type: "default_stream_groups"; default_stream_groups: WireDefaultStreamGroup[] };
  /** A channel folder changes. */
  channel_folder:
    | { type: "channel_folder"; op: "add"; channel_folder: WireChannelFolder }
    | { type: "channel_folder"; op: "update"; channel_folder_id: number; data: Partial<WireChannelFolder> }
    | { type: "channel_folder"; op: "reorder"; order: number[] };
  /** The caller's drafts change. */
  drafts:
    | { type: "drafts"; op: "add"; drafts: WireDraft[] }
    | { type: "drafts"; op: "update"; draft: WireDraft }
    | { type: "drafts"; op: "remove"; draft_id: number };
  /** For the owner of an [upload](#uploads): `attachment` (`remove` has only its `id`) and `upload_space_used`. */
  attachment:
    | { type: "attachment"; op: "add" | "update"; attachment: WireAttachment; upload_space_used: number }
    | { type: "attachment"; op: "remove"; attachment: { id: number }; upload_space_used: number };
  /** The caller's saved snippets change. */
  saved_snippets:
    | { type: "saved_snippets"; op: "add" | "update"; saved_snippet: WireSavedSnippet }
    | { type: "saved_snippets"; op: "remove"; saved_snippet_id: number };
  /** The caller's scheduled messages change. */
  scheduled_messages:
    | { type: "scheduled_messages"; op: "add"; scheduled_messages: WireScheduledMessage[] }
    | { type: "scheduled_messages"; op: "update"; scheduled_message: WireScheduledMessage }
    | { type: "scheduled_messages"; op: "remove"; scheduled_message_id: number };
  /** The caller's reminders change. */
  reminders:
    | { type: "reminders"; op: "add"; reminders: WireReminder[] }
    | { type: "reminders"; op: "remove"; reminder_id: number };
  /** The visibility policy of a topic changes. */
  user_topic: {
    type: "user_topic";
    stream_id: number;
    topic_name: string;
    last_updated: number;
    visibility_policy: Policy;
  };
  /** All muted topics of a person, for clients that do not request `user_topic`. */
  muted_topics: { type: "muted_topics"; muted_topics: WireMutedTopic[] };
  /** All of the caller's alert words, whenever one changes. */
  alert_words: { type: "alert_words"; alert_words: string[] };
  /** All people whom the caller mutes, whenever one changes. */
  muted_users: { type: "muted_users"; muted_users: WireMutedUser[] };
  /** The caller's remaining onboarding steps, whenever one is done. */
  onboarding_steps: { type: "onboarding_steps"; onboarding_steps: WireOnboardingStep[] };
  /** The caller's navigation views change. */
  navigation_view:
    | { type: "navigation_view"; op: "add"; navigation_view: WireNavigationView }
    | { type: "navigation_view"; op: "update"; fragment: string; data: { is_pinned?: boolean; name?: string } }
    | { type: "navigation_view"; op: "remove"; fragment: string };
  /** All profile fields of the organization, whenever one changes. */
  custom_profile_fields: { type: "custom_profile_fields"; fields: WireProfileField[] };
  /** The fields of a status that changed. An empty text clears a field. */
  user_status: { type: "user_status"; user_id: number } & Partial<StatusFields>;
  /** A person becomes active or idle. The log has both forms: each client gets the one that it reads. */
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
  /** A person starts or stops typing a new message. */
  typing: {
    type: "typing";
    op: "start" | "stop";
    sender: { user_id: number; email: string };
  } & (
    | { message_type: "direct"; recipients: { user_id: number; email: string }[] }
    | { message_type: "stream"; stream_id: number; topic: string }
  );
  /** A person starts or stops editing a message. */
  typing_edit_message: {
    type: "typing_edit_message";
    op: "start" | "stop";
    sender_id: number;
    message_id: number;
    recipient: { type: "direct"; user_ids: number[] } | { type: "channel"; channel_id: number; topic: string };
  };
  /** An invitation changes. Clients fetch the list again. */
  invites_changed: { type: "invites_changed" };
  /** No event happened during a [long poll](#long-polls). */
  heartbeat: { type: "heartbeat" };
  /** Never sent: it ends all queues of its audience, so that their clients register again. */
  start_anew: { type: "start_anew" };
}

/** A change of a person; one per event. */
export type PersonChange = { user_id: number } & (
  | { full_name: string }
  | { role: Role }
  | { is_active: boolean }
  | { is_imported_stub: false }
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
