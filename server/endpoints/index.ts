import * as channels from "./channels.ts";
import * as drafts from "./drafts.ts";
import * as eventQueues from "./event-queues.ts";
import * as fetchApiKey from "./fetch-api-key.ts";
import * as hostAudit from "./host-audit.ts";
import * as hostSession from "./host-session.ts";
import * as hostSettings from "./host-settings.ts";
import * as hostSetup from "./host-setup.ts";
import * as hostState from "./host-state.ts";
import * as messageEdits from "./message-edits.ts";
import * as messageFlags from "./message-flags.ts";
import * as messageRendering from "./message-rendering.ts";
import * as messages from "./messages.ts";
import * as reactions from "./reactions.ts";
import * as readReceipts from "./read-receipts.ts";
import * as reminders from "./reminders.ts";
import * as savedSnippets from "./saved-snippets.ts";
import * as scheduledMessages from "./scheduled-messages.ts";
import * as serverSettings from "./server-settings.ts";
import * as submessages from "./submessages.ts";
import * as subscriptions from "./subscriptions.ts";
import * as topics from "./topics.ts";
import * as users from "./users.ts";

const nouns = {
  ...channels,
  ...drafts,
  ...eventQueues,
  ...fetchApiKey,
  ...hostAudit,
  ...hostSession,
  ...hostSettings,
  ...hostSetup,
  ...hostState,
  ...messageEdits,
  ...messageFlags,
  ...messageRendering,
  ...messages,
  ...reactions,
  ...readReceipts,
  ...reminders,
  ...savedSnippets,
  ...scheduledMessages,
  ...serverSettings,
  ...submessages,
  ...subscriptions,
  ...topics,
  ...users,
};

/** Every endpoint by its name: the typed client of ui/ is made from this type. */
export type Endpoints = typeof nouns;

export const endpoints = Object.values(nouns);
