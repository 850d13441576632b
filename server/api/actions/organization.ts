import type { Transaction } from "../../storage/transaction.ts";
import { validOrganizationName } from "../access/organization.ts";
import { SYSTEM_BOTS } from "../queries/bots.ts";
import type { Channel } from "../queries/channels.ts";
import { emailKey, ROLES, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { createChannel } from "./channels.ts";
import { notifyTopic, plainText } from "./notices.ts";
import { renderDescription } from "./rendering.ts";
import { subscribe } from "./subscriptions.ts";
import { createSystemGroups } from "./user-groups.ts";
import { createUser } from "./users.ts";

export interface NewOrganization {
  name: string;
  owner: { email: string; full_name: string; password_hash: string | null };
  /** The domain in addresses of bots and stand-ins. It never changes. */
  emailHost: string;
}

/** For an empty database. Returns the first owner. */
export function createOrganization(tx: Transaction, { name, owner, emailHost }: NewOrganization): User {
  const validName = validOrganizationName(name);
  tx.run("INSERT INTO organization (id, name, created_at) VALUES (1, ?, ?)", validName, tx.now);
  tx.run("INSERT INTO organization_settings (name, value) VALUES ('email_host', ?)", JSON.stringify(emailHost));
  createSystemGroups(tx);
  recordAudit(tx, null, { action: "create organization", target: "organization", after: { name: validName } });
  const first = createUser(tx, null, { ...owner, role: ROLES.owner });
  createSystemBots(tx);
  return first;
}

const GENERAL_DESCRIPTION = "For everybody, about everything.";

/** The topic of the first message. */
const WELCOME_TOPIC = "welcome";

/** Creates the default channel `general` with a first message, so that the owner does not start in an empty window. */
export function createGeneralChannel(tx: Transaction, owner: User, organizationName: string): Channel {
  const general = createChannel(tx, owner, {
    name: "general",
    description: GENERAL_DESCRIPTION,
    rendered_description: renderDescription(tx, GENERAL_DESCRIPTION),
    invite_only: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    message_retention_days: null,
    topics_policy: "inherit",
    is_default: true,
    groups: {},
  });
  subscribe(tx, { users: [owner], channels: [general] });
  notifyTopic(tx, general, WELCOME_TOPIC, welcomeTo(organizationName));
  return general;
}

// The notification bot sends it, because the owner did not write it.
const welcomeTo = (organizationName: string): string =>
  `**Welcome to ${plainText(organizationName)}!** This is the channel #**general**. Everybody who joins is in it.

Conversations in a channel are sorted by topic. This one is called “${WELCOME_TOPIC}”: say hello here, or begin a topic of your own.`;

/** For a new organization. */
function createSystemBots(tx: Transaction): void {
  for (const [name, { email, full_name }] of Object.entries(SYSTEM_BOTS)) {
    tx.run(
      `INSERT INTO users (email, email_key, full_name, role, is_bot, bot_type, joined_at, system_bot)
       VALUES (?, ?, ?, ?, 1, 1, ?, ?)`,
      email,
      emailKey(email),
      full_name,
      ROLES.member,
      tx.now,
      name,
    );
  }
}
