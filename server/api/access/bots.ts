import { badRequest, notFound, quoted, refusedParameter, unauthorizedPrincipal } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { allBots, type Bot, botById, INTERFACE, type ServiceInterface } from "../queries/bots.ts";
import type { Channel } from "../queries/channels.ts";
import { allUsers, BOT_TYPE, type BotType, ROLES, type Role, type User, userById } from "../queries/users.ts";
import { channelToSee } from "./channels.ts";
import { isPermitted } from "./permissions.ts";
import { isAdministrator } from "./roles.ts";
import { allowedRole } from "./user-permissions.ts";

/**
 * Whether the viewer may see a bot's key and settings, and change them: its owner, and administrators, but for bots
 * with a role above their own, whose key would lend them that role.
 */
export const managesBot = (viewer: User, bot: User): boolean =>
  viewer.id === bot.bot_owner_id || (isAdministrator(viewer) && viewer.role <= bot.role);

/** Everybody active who manages the bot, ascending: the audience of what happens to it. */
export function usersWhoManageBot(reader: Reader, bot: User): number[] {
  const owner = bot.bot_owner_id === null ? undefined : userById(reader, bot.bot_owner_id);
  const ids = new Set(activeAdministrators(reader).flatMap((user) => (managesBot(user, bot) ? user.id : [])));
  if (owner?.is_active) ids.add(owner.id);
  return [...ids].sort((a, b) => a - b);
}

/** Few among many: they are looked for once, not for each delivery. */
const activeAdministrators = (reader: Reader): readonly User[] =>
  reader.derived("active administrators", ["users"], (rows) =>
    allUsers(rows).filter((user) => user.is_active && isAdministrator(user)),
  );

/** A bot that is absent and one that is a person, or the server's own, are answered alike. */
export function botToManage(reader: Reader, viewer: User, id: number): Bot {
  const bot = botById(reader, id);
  if (!bot) throw notFound("No such bot");
  if (!managesBot(viewer, bot.user))
    throw unauthorizedPrincipal("Only its owner and administrators may manage this bot: insufficient permission.");
  return bot;
}

/** The ids of these bots, or of all that the viewer manages. Errors: those of `botToManage`. */
export function botIdsToManage(reader: Reader, viewer: User, ids: readonly number[] | undefined): number[] {
  if (ids) return ids.map((id) => botToManage(reader, viewer, id).user.id);
  return allBots(reader).flatMap(({ user }) => (managesBot(viewer, user) ? user.id : []));
}

export function botToDeactivate(reader: Reader, viewer: User, id: number): Bot {
  const bot = botToManage(reader, viewer, id);
  if (!bot.user.is_active) throw badRequest("This bot is deactivated already.");
  return bot;
}

/** Of one person, deactivated ones too: every /register lists them all. Administrators may have more. */
const MAX_BOTS = 200;

/** Refuses a kind of bot that the viewer may not make. */
export function assertMayCreateBot(reader: Reader, viewer: User, type: BotType): void {
  if (type === BOT_TYPE.embedded) throw refusedParameter("bot_type", "bot_type: embedded bots do not exist here.");
  const own = allUsers(reader).filter(({ bot_owner_id }) => bot_owner_id === viewer.id).length;
  if (own >= MAX_BOTS && !isAdministrator(viewer))
    throw refusedParameter("bot_type", `bot_type: you can have at most ${MAX_BOTS} bots, deactivated ones too.`);
  if (isPermitted(reader, viewer, "can_create_bots_group")) return;
  if (type === BOT_TYPE.incomingWebhook && isPermitted(reader, viewer, "can_create_write_only_bots_group")) return;
  throw badRequest("You may not create bots of this kind: insufficient permission.");
}

/** The name, where no other active bot has it; letter case makes no difference. */
export function freeBotName(reader: Reader, name: string, self?: User): string {
  const key = name.toLowerCase();
  const isTaken = allUsers(reader).some(
    (user) => user.is_bot && user.is_active && user.id !== self?.id && user.full_name.toLowerCase() === key,
  );
  if (isTaken) throw badRequest(`Another bot is called ${quoted(name)}.`);
  return name;
}

/** What stands before `-bot@` in a bot's address. */
export function validShortName(name: string): string {
  const trimmed = name.trim();
  if (!/^[\p{L}\p{N}._-]{1,50}$/u.test(trimmed))
    throw refusedParameter("short_name", "short_name: 1 to 50 letters, digits, dots, hyphens and underscores.");
  return trimmed.toLowerCase();
}

/** Who is to own the bot from now on. */
export function newBotOwner(reader: Reader, id: number): User {
  const owner = userById(reader, id);
  if (!owner || owner.system_bot !== null) throw refusedParameter("bot_owner_id", "bot_owner_id: no such user");
  if (!owner.is_active) throw refusedParameter("bot_owner_id", "bot_owner_id: this user is deactivated.");
  if (owner.is_bot) throw refusedParameter("bot_owner_id", "bot_owner_id: bots cannot own bots.");
  if (owner.role === ROLES.guest) throw refusedParameter("bot_owner_id", "bot_owner_id: guests cannot own bots.");
  return owner;
}

/** A role for the bot, where the viewer may give it. */
export function allowedBotRole(reader: Reader, viewer: User, { user }: Bot, role: Role): Role {
  if (role === user.role) return role;
  if (!isAdministrator(viewer)) throw unauthorizedPrincipal("Only administrators may change roles.");
  return allowedRole(reader, viewer, user, role);
}

/** A channel that the bot is to use where none is named: one that whoever chooses may see. Empty names none. */
export function defaultBotChannel(reader: Reader, viewer: User, name: string): Channel | null {
  if (name === "") return null;
  const channel = channelToSee(reader, viewer, name);
  if (channel.is_archived) throw badRequest(`The channel ${channel.name} is archived.`);
  return channel;
}

export const isServiceInterface = (value: number): value is ServiceInterface =>
  Object.values<number>(INTERFACE).includes(value);
