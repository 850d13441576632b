import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoManageBot } from "../access/bots.ts";
import { usersWhoCanSee } from "../access/people.ts";
import { botOnWire, servicesOf } from "../presenters/bots.ts";
import { type Bot, type BotDefaults, botById, type ServiceInterface } from "../queries/bots.ts";
import { organizationSetting } from "../queries/organization.ts";
import { type BotType, ROLES, type Role, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { changeBotDefaults, writeBotDefaults } from "./bot-defaults.ts";
import { announceBot, announceManagers, announceWebhookSettings, botManagers } from "./bot-events.ts";
import { replaceKey } from "./credentials.ts";
import { changeFullName } from "./user-accounts.ts";
import { changeRole } from "./user-roles.ts";
import { createUser } from "./users.ts";

/** Where an outgoing webhook's messages go. */
export interface ServiceInput {
  name: string;
  base_url: string;
  interface: ServiceInterface;
  /** The token and the signing secret as the database holds them, bound to the bot. */
  sealedFor(botId: number): { token: string; secret: string };
}

export interface NewBot {
  full_name: string;
  short_name: string;
  type: BotType;
  defaults: BotDefaults;
  integration: string | null;
  config: Record<string, string> | null;
  /** Of an outgoing webhook. */
  service: ServiceInput | null;
}

/** The bot belongs to whoever makes it. Errors: those of `createUser`. */
export function createBot(tx: Transaction, actor: User, input: NewBot): Bot {
  const user = createUser(tx, actor, {
    email: `${input.short_name}-bot@${organizationSetting(tx, "email_host")}`,
    full_name: input.full_name,
    password_hash: null,
    is_bot: true,
    bot_type: input.type,
    bot_owner_id: actor.id,
  });
  writeBotDefaults(tx, user, input.defaults);
  tx.run(
    "UPDATE bots SET integration = ?, config = ? WHERE user_id = ?",
    input.integration,
    input.config && JSON.stringify(input.config),
    user.id,
  );
  const { service } = input;
  if (service) {
    const sealed = service.sealedFor(user.id);
    tx.run(
      `INSERT INTO bot_services (bot_id, name, base_url, interface, token, secret, chosen_by)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      user.id,
      service.name,
      service.base_url,
      service.interface,
      sealed.token,
      sealed.secret,
      actor.id,
    );
  }
  const bot = botById(tx, user.id) as Bot;
  tx.emit({ type: "realm_bot", op: "add", bot: botOnWire(tx, bot) }, { users: usersWhoManageBot(tx, user) });
  return bot;
}

export interface BotPatch {
  full_name?: string | undefined;
  role?: Role | undefined;
  owner?: User | undefined;
  defaults?: Partial<BotDefaults> | undefined;
  config?: Record<string, string> | undefined;
  service?: { base_url?: string; interface?: ServiceInterface } | undefined;
}

/** Errors: BAD_REQUEST for a name that will not do. */
export function changeBot(tx: Transaction, actor: User, before: Bot, patch: BotPatch): Bot {
  const { user } = before;
  if (patch.full_name !== undefined) changeFullName(tx, actor, user, patch.full_name);
  if (patch.role !== undefined) changeRole(tx, actor, user, patch.role);
  if (patch.owner) giveBot(tx, actor, userById(tx, user.id) as User, patch.owner);
  if (patch.defaults) changeBotDefaults(tx, before, { ...before.defaults, ...patch.defaults });
  if (patch.config) tx.run("UPDATE bots SET config = ? WHERE user_id = ?", JSON.stringify(patch.config), user.id);
  if (patch.service) changeService(tx, actor, before, patch.service);
  return botById(tx, user.id) as Bot;
}

/** Whoever picks the address answers for it: their rights decide where it may lead. */
function changeService(
  tx: Transaction,
  actor: User,
  { user, service }: Bot,
  { base_url = service?.base_url, interface: kind = service?.interface }: NonNullable<BotPatch["service"]>,
): void {
  if (!service || base_url === undefined || kind === undefined) return;
  if (base_url === service.base_url && kind === service.interface) return;
  tx.run(
    "UPDATE bot_services SET base_url = ?, interface = ?, chosen_by = ? WHERE bot_id = ?",
    base_url,
    kind,
    base_url === service.base_url ? service.chosen_by : actor.id,
    user.id,
  );
  announceBot(tx, user, { services: servicesOf(botById(tx, user.id) as Bot) });
  recordAudit(tx, actor, {
    action: "change webhook address",
    target: `user ${user.id}`,
    before: { base_url: service.base_url },
    after: { base_url },
  });
}

/** What an outgoing webhook's receiver knows its deliveries by. */
export type ServiceCredential = "token" | "signing_secret";

/** The old credential is void immediately: pending deliveries are sent with the new one. */
export function regenerateServiceCredential(
  tx: Transaction,
  actor: User,
  { user }: Bot,
  { credential, sealed }: { credential: ServiceCredential; sealed: string },
): void {
  if (credential === "token") {
    tx.run("UPDATE bot_services SET token = ? WHERE bot_id = ?", sealed, user.id);
    announceBot(tx, user, { services: servicesOf(botById(tx, user.id) as Bot) });
  } else {
    tx.run("UPDATE bot_services SET secret = ? WHERE bot_id = ?", sealed, user.id);
  }
  announceWebhookSettings(tx, user);
  recordAudit(tx, actor, {
    action: "regenerate webhook credential",
    target: `user ${user.id}`,
    after: { credential },
  });
}

/**
 * A bot may post wherever its owner may, so whoever gives theirs away does not keep its key. An administrator who moves
 * a bot decides that for themselves: its programs go on.
 */
function giveBot(tx: Transaction, actor: User, bot: User, owner: User): void {
  if (bot.bot_owner_id === owner.id) return;
  changeBotOwner(tx, actor, bot, owner);
  if (actor.role > ROLES.administrator) regenerateBotKey(tx, actor, botById(tx, bot.id) as Bot);
}

/** Its role is never above its owner's. */
export function changeBotOwner(tx: Transaction, actor: User, bot: User, owner: User): void {
  if (bot.bot_owner_id === owner.id) return;
  const before = botManagers(tx);
  tx.run("UPDATE users SET bot_owner_id = ? WHERE id = ?", owner.id, bot.id);
  const owned = userById(tx, bot.id) as User;
  tx.emit(
    { type: "realm_user", op: "update", person: { user_id: bot.id, bot_owner_id: owner.id } },
    { users: usersWhoCanSee(tx, owned) },
  );
  announceBot(tx, owned, { owner_id: owner.id });
  announceManagers(tx, before);
  recordAudit(tx, actor, {
    action: "change bot owner",
    target: `user ${bot.id}`,
    before: bot.bot_owner_id,
    after: owner.id,
  });
  if (owned.role < owner.role) changeRole(tx, actor, owned, owner.role);
}

/** The key from before is void. Returns the bot as it is now. */
export function regenerateBotKey(tx: Transaction, actor: User, { user }: Bot): User {
  const renewed = replaceKey(tx, actor, user);
  announceBot(tx, renewed, {}, true);
  return renewed;
}
