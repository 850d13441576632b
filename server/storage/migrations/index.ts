import { sql as foundation } from "./0001-foundation.ts";
import { sql as sessions } from "./0002-sessions.ts";
import { sql as reactions } from "./0003-reactions.ts";
import { sql as drafts } from "./0004-drafts.ts";
import { sql as userTopics } from "./0005-user-topics.ts";
import { sql as messageEdits } from "./0006-message-edits.ts";

/** Numbered from 1 in this order. A migration is constant SQL: it gives the same result wherever it is run. */
export const migrations: readonly string[] = [foundation, sessions, reactions, drafts, userTopics, messageEdits];
