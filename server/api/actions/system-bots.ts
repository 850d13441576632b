import type { Transaction } from "../../storage/transaction.ts";
import { SYSTEM_BOTS } from "../queries/bots.ts";
import { emailKey, ROLES } from "../queries/users.ts";

/** Creates the server's own bots in a new organization. Older ones got them by a migration. */
export function createSystemBots(tx: Transaction): void {
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
