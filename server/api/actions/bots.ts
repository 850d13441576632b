import { aboutParameter } from "../../errors.ts";
import type { Reader, Transaction } from "../../storage/transaction.ts";
import { usersWhoManageBot } from "../access/bots.ts";
import { usersWhoCanSee } from "../access/people.ts";
import { botOnWire, servicesOf } from "../presenters/bots.ts";
import { type Bot, type BotDefaults, botById, type ServiceInterface } from "../queries/bots.ts";
import { organizationSetting } from "../queries/organization.ts";
import { type BotType, ROLES, type Role, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import {
  announceBot,
  announceManagers,
  announceWebhookSettings,
  botManagers,
  changeBotDefaults,
  writeBotDefaults,
} from "./bot-events.ts";
import { insertRow } from "./rows.ts";
import { replaceKey } from "./sessions.ts";
import { changeRole } from "./user-roles.ts";
import { changeEmail, changeFullName, createUser } from "./users.ts";

/** The target of an outgoing webhook. */
export interface ServiceInput {
  name: string;
  base_url: string;
  interface: ServiceInterface;
  /** Returns the stored token and signing secret, which are bound to the bot. */
  sealedFor(botId: number): { token: string; secret: string };
}

export interface NewBot {
  full_name: string;
  short_name: string;
  type: BotType;
  defaults: BotDefaults;
  integration: string | null;
  config: Record<string, string> | null;
  /** Null except for outgoing webhooks. */
  service: ServiceInput | null;
}

const botEmail = (reader: Reader, shortName: string): string =>
  `${shortName}-bot@${organizationSetting(reader, "email_host")}`;

/** The actor owns the bot. Errors: see `createUser`. */
export function createBot(tx: Transaction, actor: User, input: NewBot): Bot {
  const user = createUser(tx, actor, {
    email: botEmail(tx, input.short_name),
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
    insertRow(tx, "bot_services", {
      bot_id: user.id,
      name: service.name,
      base_url: service.base_url,
      interface: service.interface,
      token: sealed.token,
      secret: sealed.secret,
      chosen_by: actor.id,
    });
  }
  const bot = botById(tx, user.id) as Bot;
  tx.emit({ type: "realm_bot", op: "add", bot: botOnWire(tx, bot) }, { users: usersWhoManageBot(tx, user) });
  return bot;
}

interface BotPatch {
  full_name?: string | undefined;
  short_name?: string | undefined;
  role?: Role | undefined;
  owner?: User | undefined;
  defaults?: Partial<BotDefaults> | undefined;
  config?: Record<string, string> | undefined;
  service?: { base_url?: string; interface?: ServiceInterface } | undefined;
}

/** Errors: BAD_REQUEST for an invalid name. */
export function changeBot(tx: Transaction, actor: User, before: Bot, patch: BotPatch): Bot {
  const { user } = before;
  if (patch.full_name !== undefined) changeFullName(tx, actor, user, patch.full_name);
  const { short_name } = patch;
  if (short_name !== undefined)
    aboutParameter("short_name", () => changeEmail(tx, actor, user, botEmail(tx, short_name)));
  if (patch.role !== undefined) changeRole(tx, actor, user, patch.role);
  if (patch.owner) giveBot(tx, actor, userById(tx, user.id) as User, patch.owner);
  if (patch.defaults) changeBotDefaults(tx, before, { ...before.defaults, ...patch.defaults });
  if (patch.config) tx.run("UPDATE bots SET config = ? WHERE user_id = ?", JSON.stringify(patch.config), user.id);
  if (patch.service) changeService(tx, actor, before, patch.service);
  return botById(tx, user.id) as Bot;
}

/** The user who sets the URL determines which hosts the webhook can reach. */
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

/** How the receiver of an outgoing webhook verifies deliveries. */
type ServiceCredential = "token" | "signing_secret";

/** The old credential is void immediately. Pending deliveries use the new one. */
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
 * A bot can post wherever its owner can. So a previous owner must not keep the key. If an administrator moves a bot,
 * the key stays, so that its programs continue to work.
 */
function giveBot(tx: Transaction, actor: User, bot: User, owner: User): void {
  if (bot.bot_owner_id === owner.id) return;
  changeBotOwner(tx, actor, bot, owner);
  if (actor.role > ROLES.administrator) regenerateBotKey(tx, actor, botById(tx, bot.id) as Bot);
}

/** Lowers the bot's role to its owner's. */
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

/** Voids the old key. */
export function regenerateBotKey(tx: Transaction, actor: User, { user }: Bot): User {
  const renewed = replaceKey(tx, actor, user);
  announceBot(tx, renewed, {}, true);
  return renewed;
}
