import { registerParts as channels } from "../queries/channels.ts";
import { registerParts as conversations } from "../queries/conversations.ts";
import { registerParts as drafts } from "../queries/drafts.ts";
import { registerParts as organization } from "../queries/organization.ts";
import { registerParts as readState } from "../queries/read-state.ts";
import type { RegisterContext, RegisterPart } from "../queries/register-context.ts";
import { registerParts as none } from "../queries/register-empty.ts";
import { registerParts as reminders } from "../queries/reminders.ts";
import { registerParts as savedSnippets } from "../queries/saved-snippets.ts";
import { registerParts as scheduledMessages } from "../queries/scheduled-messages.ts";
import { registerParts as subscriptions } from "../queries/subscriptions.ts";
import { registerParts as topics } from "../queries/topics.ts";
import { registerParts as userGroups } from "../queries/user-groups.ts";
import { registerParts as userSettings } from "../queries/user-settings.ts";
import { registerParts as users } from "../queries/users.ts";

/** Every part of POST /register, by its name in `fetch_event_types`. */
const parts: Record<string, RegisterPart> = {
  ...none,
  ...organization,
  ...users,
  ...userGroups,
  ...userSettings,
  ...channels,
  ...subscriptions,
  ...topics,
  ...conversations,
  ...readState,
  ...drafts,
  ...savedSnippets,
  ...scheduledMessages,
  ...reminders,
};

/** The state that a client asks for, as it is in this synchronous turn. Fields: contract/register.json. */
export function registerState(context: RegisterContext): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(parts)) if (context.fetches(name)) Object.assign(state, part(context));
  return state;
}
