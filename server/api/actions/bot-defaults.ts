import type { Transaction } from "../../storage/transaction.ts";
import { canSeeChannel } from "../access/channels.ts";
import { defaultsOnWire } from "../presenters/bots.ts";
import { type Bot, type BotDefaults, botsWithDefaultChannel } from "../queries/bots.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { type User, userById } from "../queries/users.ts";
import { announceBot } from "./bot-events.ts";

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
 * After a change of a channel that is some bot's default, which is stored by id and shown by name: tells the new name.
 * A channel that is archived, or that the bot's owner may no longer know of, is its default no more.
 */
export function followChannelInBotDefaults(tx: Transaction, before: Channel): void {
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
