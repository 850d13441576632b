import * as channels from "./channels.ts";
import * as eventQueues from "./event-queues.ts";
import * as fetchApiKey from "./fetch-api-key.ts";
import * as hostAudit from "./host-audit.ts";
import * as hostSession from "./host-session.ts";
import * as hostSettings from "./host-settings.ts";
import * as hostSetup from "./host-setup.ts";
import * as hostState from "./host-state.ts";
import * as messageFlags from "./message-flags.ts";
import * as messages from "./messages.ts";
import * as serverSettings from "./server-settings.ts";
import * as subscriptions from "./subscriptions.ts";
import * as users from "./users.ts";

const nouns = {
  ...channels,
  ...eventQueues,
  ...fetchApiKey,
  ...hostAudit,
  ...hostSession,
  ...hostSettings,
  ...hostSetup,
  ...hostState,
  ...messageFlags,
  ...messages,
  ...serverSettings,
  ...subscriptions,
  ...users,
};

/** Every endpoint by its name: the typed client of ui/ is made from this type. */
export type Endpoints = typeof nouns;

export const endpoints = Object.values(nouns);
