import type { Reader } from "../../storage/transaction.ts";
import { type User, userById } from "./users.ts";

/** The server's bots. Nobody else can have an address in their domain (`validEmail`), and nobody signs in as one. */
export const SYSTEM_BOTS = {
  notification: { email: "notification-bot@hearth.invalid", full_name: "Notification Bot" },
} as const;
export type SystemBotName = keyof typeof SYSTEM_BOTS;

export const systemBotIds = (reader: Reader): readonly number[] =>
  reader.derived("system bot ids", ["users"], (rows) =>
    rows.values<number>("SELECT id FROM users WHERE system_bot IS NOT NULL ORDER BY id"),
  );

/** Ascending by id. */
export const systemBots = (reader: Reader): User[] => systemBotIds(reader).map((id) => userById(reader, id) as User);

export const isSystemBot = (user: Pick<User, "system_bot">): boolean => user.system_bot !== null;

/** The bot in whose name the server says what happened. */
export function notificationBot(reader: Reader): User {
  const bot = systemBots(reader).find(({ system_bot }) => system_bot === "notification");
  if (!bot) throw new Error("The notification bot is missing: this database holds no organization.");
  return bot;
}
