import { badRequest, notFound, refusedParameter, shortened, unauthorizedPrincipal } from "../../errors.ts";
import type { WebhookSecretKind, WebhookSecrets } from "../../host/credentials/derived-keys.ts";
import type { Reader } from "../../storage/transaction.ts";
import { botStorage } from "../queries/bot-storage.ts";
import { allBots, type Bot, botById, INTERFACE, type ServiceInterface } from "../queries/bots.ts";
import type { Channel } from "../queries/channels.ts";
import { allUsers, BOT_TYPE, type BotType, ROLES, type Role, type User, userById } from "../queries/users.ts";
import { channelToSee } from "./channels.ts";
import { isAdministrator, isPermitted } from "./roles.ts";
import { allowedRole } from "./users.ts";

/**
 * True for the owner and for administrators, who can see the key. But a key of a higher role would lend them that role.
 */
export const managesBot = (viewer: User, bot: User): boolean =>
  viewer.id === bot.bot_owner_id || (isAdministrator(viewer) && viewer.role <= bot.role);

/** Active users who manage the bot, ascending: the audience of its events. */
export function usersWhoManageBot(reader: Reader, bot: User): number[] {
  const owner = bot.bot_owner_id === null ? undefined : userById(reader, bot.bot_owner_id);
  const ids = new Set(activeAdministrators(reader).flatMap((user) => (managesBot(user, bot) ? user.id : [])));
  if (owner?.is_active) ids.add(owner.id);
  return [...ids].sort((a, b) => a - b);
}

/** Cached, because each delivery asks for them. */
const activeAdministrators = (reader: Reader): readonly User[] =>
  reader.derived("active administrators", ["users"], (rows) =>
    allUsers(rows).filter((user) => user.is_active && isAdministrator(user)),
  );

/** Missing bots, people and system bots get the same error. */
export function botToManage(reader: Reader, viewer: User, id: number): Bot {
  const bot = botById(reader, id);
  if (!bot) throw notFound("bot_not_found");
  if (!managesBot(viewer, bot.user)) throw unauthorizedPrincipal("bot_not_manageable");
  return bot;
}

/** The IDs of these bots, or of all bots that the viewer manages. */
export function botIdsToManage(reader: Reader, viewer: User, ids: readonly number[] | undefined): number[] {
  if (ids) return ids.map((id) => botToManage(reader, viewer, id).user.id);
  return allBots(reader).flatMap(({ user }) => (managesBot(viewer, user) ? user.id : []));
}

export function botToDeactivate(reader: Reader, viewer: User, id: number): Bot {
  const bot = botToManage(reader, viewer, id);
  if (!bot.user.is_active) throw badRequest("bot_already_deactivated");
  return bot;
}

/** Per person, including deactivated bots: each /register lists them all. Does not apply to administrators. */
const MAX_BOTS = 200;

export function assertMayCreateBot(reader: Reader, viewer: User, type: BotType): void {
  if (type === BOT_TYPE.embedded) throw refusedParameter("bot_type", "embedded_bots_not_supported");
  const own = allUsers(reader).filter(({ bot_owner_id }) => bot_owner_id === viewer.id).length;
  if (own >= MAX_BOTS && !isAdministrator(viewer))
    throw refusedParameter("bot_type", "too_many_bots", { count: MAX_BOTS });
  if (isPermitted(reader, viewer, "can_create_bots_group")) return;
  if (type === BOT_TYPE.incomingWebhook && isPermitted(reader, viewer, "can_create_write_only_bots_group")) return;
  throw badRequest("bot_type_not_permitted");
}

export function freeBotName(reader: Reader, name: string, self?: User): string {
  const key = name.toLowerCase();
  const isTaken = allUsers(reader).some(
    (user) => user.is_bot && user.is_active && user.id !== self?.id && user.full_name.toLowerCase() === key,
  );
  if (isTaken) throw badRequest("bot_name_taken", { name: shortened(name) });
  return name;
}

/** The part before `-bot@` in a bot's address. */
export function validShortName(name: string): string {
  const trimmed = name.trim();
  if (!/^[\p{L}\p{N}._-]{1,50}$/u.test(trimmed)) throw refusedParameter("short_name", "short_name_invalid");
  return trimmed.toLowerCase();
}

export function newBotOwner(reader: Reader, id: number): User {
  const owner = userById(reader, id);
  if (!owner || owner.system_bot !== null) throw refusedParameter("bot_owner_id", "bot_owner_not_found");
  if (!owner.is_active) throw refusedParameter("bot_owner_id", "bot_owner_deactivated");
  if (owner.is_bot) throw refusedParameter("bot_owner_id", "bot_owner_is_bot");
  if (owner.role === ROLES.guest) throw refusedParameter("bot_owner_id", "bot_owner_is_guest");
  return owner;
}

export function allowedBotRole(reader: Reader, viewer: User, { user }: Bot, role: Role): Role {
  if (role === user.role) return role;
  if (!isAdministrator(viewer)) throw unauthorizedPrincipal("role_change_administrators_only");
  return allowedRole(reader, viewer, user, role);
}

/** The bot's default channel, which the viewer must see. An empty name means none. */
export function defaultBotChannel(reader: Reader, viewer: User, name: string): Channel | null {
  if (name === "") return null;
  const channel = channelToSee(reader, viewer, name);
  if (channel.is_archived) throw badRequest("channel_archived", { channel: channel.name });
  return channel;
}

export const isServiceInterface = (value: number): value is ServiceInterface =>
  Object.values<number>(INTERFACE).includes(value);

/** The viewer's entries under these keys, or all of them. Throws if a key does not exist. */
export function ownBotStorage(
  reader: Reader,
  viewer: User,
  keys: readonly string[] | undefined,
): ReadonlyMap<string, string> {
  const entries = botStorage(reader, viewer.id, keys);
  const missing = keys?.find((key) => !entries.has(key));
  if (missing !== undefined) throw refusedParameter("keys", "storage_key_not_found", { key: shortened(missing) });
  return entries;
}

/** The secrets of a bot's webhooks. An undefined secret is not set, or is listed in `unreadable`. */
interface OpenedSecrets {
  webhook_secret: string | undefined;
  token: string | undefined;
  signing_secret: string | undefined;
  /** Sealed with another `secret.key`. They must be set again. */
  unreadable: WebhookSecretKind[];
}

export function openedSecrets(secrets: WebhookSecrets, { user, service, sealedWebhookSecret }: Bot): OpenedSecrets {
  const unreadable: WebhookSecretKind[] = [];
  const open = (kind: WebhookSecretKind, sealed: string | null | undefined): string | undefined => {
    if (sealed === null || sealed === undefined) return undefined;
    const value = secrets.open(kind, user.id, sealed);
    if (value === undefined) unreadable.push(kind);
    return value;
  };
  return {
    webhook_secret: open("webhook_secret", sealedWebhookSecret),
    token: open("token", service?.sealedToken),
    signing_secret: open("signing_secret", service?.sealedSecret),
    unreadable,
  };
}

/** The token of an outgoing webhook; empty if there is none or it cannot be read. */
export const tokenOf = (secrets: WebhookSecrets, bot: Bot | undefined): string =>
  (bot?.service && secrets.open("token", bot.user.id, bot.service.sealedToken)) ?? "";
