import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoManageBot } from "../access/bots.ts";
import { canSeeChannel } from "../access/channels.ts";
import { botOnWire, defaultsOnWire, type KeylessBot } from "../presenters/bots.ts";
import { allBots, type Bot, type BotDefaults, botsWithDefaultChannel } from "../queries/bots.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { type User, userById } from "../queries/users.ts";

/** Announces changes to the users who manage the bot. `withKey`: the event contains the current key. */
export function announceBot(tx: Transaction, user: User, changes: Partial<KeylessBot>, withKey = false): void {
  const users = usersWhoManageBot(tx, user);
  if (users.length === 0) return;
  tx.emit(
    { type: "realm_bot", op: "update", bot: { user_id: user.id, ...changes }, ...(withKey && { with_key: true }) },
    { users },
  );
}

/** Only Hearth's own pages get this event. */
export function announceWebhookSettings(tx: Transaction, bot: User): void {
  const users = usersWhoManageBot(tx, bot);
  if (users.length > 0) tx.emit({ type: "webhook_settings", op: "update", bot_id: bot.id }, { users });
}

/** User IDs by bot ID. */
type BotManagers = ReadonlyMap<number, readonly number[]>;

export const botManagers = (tx: Transaction): BotManagers =>
  new Map(allBots(tx).map(({ user }) => [user.id, usersWhoManageBot(tx, user)]));

/** Call it after a change of roles or owners. */
export function announceManagers(tx: Transaction, before: BotManagers): void {
  for (const bot of allBots(tx)) {
    const after = usersWhoManageBot(tx, bot.user);
    const [had, has] = [new Set(before.get(bot.user.id)), new Set(after)];
    const gained = after.filter((id) => !had.has(id));
    const lost = [...had].filter((id) => !has.has(id) && userById(tx, id)?.is_active);
    if (gained.length > 0) tx.emit({ type: "realm_bot", op: "add", bot: botOnWire(tx, bot) }, { users: gained });
    if (lost.length > 0) tx.emit({ type: "realm_bot", op: "delete", bot: { user_id: bot.user.id } }, { users: lost });
  }
}

export const writeBotDefaults = (tx: Transaction, user: User, defaults: BotDefaults): number =>
  tx.run(
    `UPDATE bots SET default_sending_channel_id = ?, default_events_channel_id = ?, default_all_public_streams = ?
     WHERE user_id = ?`,
    defaults.sendingChannelId,
    defaults.eventsChannelId,
    defaults.allPublicChannels ? 1 : 0,
    user.id,
  );

export function changeBotDefaults(tx: Transaction, before: Bot, defaults: BotDefaults): void {
  const was = defaultsOnWire(tx, before);
  const is = defaultsOnWire(tx, { ...before, defaults });
  const names = Object.keys(is) as (keyof typeof is)[];
  const changed = Object.fromEntries(names.filter((name) => was[name] !== is[name]).map((name) => [name, is[name]]));
  if (Object.keys(changed).length === 0) return;
  writeBotDefaults(tx, before.user, defaults);
  announceBot(tx, before.user, changed);
}

/**
 * Call it after a change of a channel. Bots store default channels by ID, but clients show them by name. An archived
 * channel, or a channel that the bot's owner cannot see, is removed from the defaults.
 */
export function updateBotDefaults(tx: Transaction, before: Channel): void {
  const now = channelById(tx, before.id) as Channel;
  for (const bot of botsWithDefaultChannel(tx, now.id)) {
    const { sendingChannelId, eventsChannelId } = bot.defaults;
    const owner = bot.user.bot_owner_id === null ? undefined : userById(tx, bot.user.bot_owner_id);
    if (now.is_archived || (owner && !canSeeChannel(tx, owner, now))) {
      const without = (id: number | null) => (id === now.id ? null : id);
      changeBotDefaults(tx, bot, {
        ...bot.defaults,
        sendingChannelId: without(sendingChannelId),
        eventsChannelId: without(eventsChannelId),
      });
    } else if (now.name !== before.name) {
      announceBot(tx, bot.user, {
        ...(sendingChannelId === now.id && { default_sending_stream: now.name }),
        ...(eventsChannelId === now.id && { default_events_register_stream: now.name }),
      });
    }
  }
}
