import { sql as bots } from "./0001/bots.ts";
import { sql as channels } from "./0001/channels.ts";
import { sql as files } from "./0001/files.ts";
import { sql as imports } from "./0001/imports.ts";
import { sql as mails } from "./0001/mails.ts";
import { sql as messages } from "./0001/messages.ts";
import { sql as organization } from "./0001/organization.ts";
import { sql as people } from "./0001/people.ts";

/**
 * Numbered from 1 in this order. A migration is constant SQL, with the same result on every machine. It never changes
 * after a release: docs/CONTRIBUTING.md#migrations-and-formats.
 */
export const migrations: readonly string[] = [
  organization + people + channels + messages + files + bots + imports + mails,
];

/** Tables that are not in the log, because their contents are computed from other tables. */
const UNLOGGED = /^message_(?:search(?:_|$)|chunks$)/;
export const isUnlogged = (table: string): boolean => UNLOGGED.test(table);
