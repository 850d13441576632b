import { sql as foundation } from "./0001-foundation.ts";
import { sql as sessions } from "./0002-sessions.ts";
import { sql as reactions } from "./0003-reactions.ts";
import { sql as drafts } from "./0004-drafts.ts";
import { sql as userTopics } from "./0005-user-topics.ts";
import { sql as messageEdits } from "./0006-message-edits.ts";
import { sql as messageSearch } from "./0007-message-search.ts";
import { sql as systemBots } from "./0008-system-bots.ts";
import { sql as channelFolders } from "./0009-channel-folders.ts";
import { sql as archivedChannels } from "./0010-archived-channels.ts";
import { sql as userActivity } from "./0011-user-activity.ts";
import { sql as signInLinks } from "./0012-sign-in-links.ts";
import { sql as userGroups } from "./0013-user-groups.ts";
import { sql as invitations } from "./0014-invitations.ts";
import { sql as organization } from "./0015-organization.ts";
import { sql as peopleLife } from "./0016-people-life.ts";
import { sql as bots } from "./0017-bots.ts";
import { sql as signInAddresses } from "./0018-sign-in-addresses.ts";
import { sql as readReceipts } from "./0019-read-receipts.ts";
import { sql as files } from "./0020-files.ts";
import { sql as pictures } from "./0021-pictures.ts";
import { sql as linkifiers } from "./0022-linkifiers.ts";
import { sql as playgrounds } from "./0023-playgrounds.ts";
import { sql as uploadedPictures } from "./0024-uploaded-pictures.ts";
import { sql as overview } from "./0025-overview.ts";
import { sql as auditActs } from "./0026-audit-acts.ts";
import { sql as messagePlaces } from "./0027-message-places.ts";
import { sql as sessionBrowsers } from "./0028-session-browsers.ts";
import { sql as messageChunks } from "./0029-message-chunks.ts";
import { sql as exports } from "./0030-exports.ts";
import { sql as deliveriesByDue } from "./0031-deliveries-by-due.ts";
import { sql as sealed } from "./0032-sealed.ts";

/** Numbered from 1 in this order. A migration is constant SQL, with the same result on every machine. */
export const migrations: readonly string[] = [
  foundation,
  sessions,
  reactions,
  drafts,
  userTopics,
  messageEdits,
  messageSearch,
  systemBots,
  channelFolders,
  archivedChannels,
  userActivity,
  signInLinks,
  userGroups,
  invitations,
  organization,
  peopleLife,
  bots,
  signInAddresses,
  readReceipts,
  files,
  pictures,
  linkifiers,
  playgrounds,
  uploadedPictures,
  overview,
  auditActs,
  messagePlaces,
  sessionBrowsers,
  messageChunks,
  exports,
  deliveriesByDue,
  sealed,
];

/** Tables that are not in the log, because their contents are computed from other tables. */
const UNLOGGED = /^message_(?:search(?:_|$)|chunks$)/;
export const isUnlogged = (table: string): boolean => UNLOGGED.test(table);
