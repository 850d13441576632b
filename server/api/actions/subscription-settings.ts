import type { Transaction } from "../../storage/transaction.ts";
import type { Channel } from "../queries/channels.ts";
import { type PersonalSettings, type SubscriptionProperty, subscriptionParts } from "../queries/subscriptions.ts";
import type { User } from "../queries/users.ts";
import { aboutChannel } from "./channel-visibility.ts";

const WHERE = "WHERE user_id = ? AND channel_id = ?";
const UPDATES: Record<keyof PersonalSettings, string> = {
  color: `UPDATE subscriptions SET color = ? ${WHERE}`,
  is_muted: `UPDATE subscriptions SET is_muted = ? ${WHERE}`,
  pin_to_top: `UPDATE subscriptions SET pin_to_top = ? ${WHERE}`,
  desktop_notifications: `UPDATE subscriptions SET desktop_notifications = ? ${WHERE}`,
  audible_notifications: `UPDATE subscriptions SET audible_notifications = ? ${WHERE}`,
  push_notifications: `UPDATE subscriptions SET push_notifications = ? ${WHERE}`,
  email_notifications: `UPDATE subscriptions SET email_notifications = ? ${WHERE}`,
  wildcard_mentions_notify: `UPDATE subscriptions SET wildcard_mentions_notify = ? ${WHERE}`,
};

export interface SubscriptionChange {
  channel: Channel;
  property: SubscriptionProperty;
  /** A string for `color`, a boolean for the others. */
  value: boolean | string;
}

/** Changes a subscriber's own setting for a channel. Muting has two events: under its present name and its old one. */
export function changeSubscription(
  tx: Transaction,
  user: User,
  { channel, property, value }: SubscriptionChange,
): void {
  const inverse = property === "in_home_view";
  const name = inverse ? "is_muted" : property;
  const stored = inverse ? !value : value;
  tx.runOn(
    subscriptionParts([user.id]),
    UPDATES[name],
    typeof stored === "boolean" ? Number(stored) : stored,
    user.id,
    channel.id,
  );
  const fields = { type: "subscription", op: "update", stream_id: channel.id, ...aboutChannel(channel) } as const;
  const audience = { users: [user.id] };
  if (name === "is_muted") tx.emit({ ...fields, property: "in_home_view", value: !stored }, audience);
  tx.emit({ ...fields, property: name, value: stored }, audience);
}
