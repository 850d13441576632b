import { isSpectator } from "../access/public-access.ts";
import { registerParts as alertWords } from "../queries/alert-words.ts";
import { registerParts as channelFolders } from "../queries/channel-folders.ts";
import { registerParts as channels } from "../queries/channels.ts";
import { registerParts as conversations } from "../queries/conversations.ts";
import { registerParts as defaultStreamGroups } from "../queries/default-stream-groups.ts";
import { registerParts as drafts } from "../queries/drafts.ts";
import { registerParts as mutedUsers } from "../queries/muted-users.ts";
import { registerParts as navigationViews } from "../queries/navigation-views.ts";
import { registerParts as onboardingSteps } from "../queries/onboarding-steps.ts";
import { registerParts as organization } from "../queries/organization.ts";
import { registerParts as organizationDomains } from "../queries/organization-domains.ts";
import { registerParts as presence } from "../queries/presence.ts";
import { registerParts as profileFields } from "../queries/profile-fields.ts";
import { publicParts } from "../queries/public-access.ts";
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
import { registerParts as userStatuses } from "../queries/user-statuses.ts";
import { registerParts as users } from "../queries/users.ts";

/** Every part of POST /register, by its name in `fetch_event_types`. */
const parts: Record<string, RegisterPart> = {
  ...none,
  ...organization,
  ...organizationDomains,
  ...users,
  ...userGroups,
  ...userSettings,
  ...channelFolders,
  ...channels,
  ...defaultStreamGroups,
  ...subscriptions,
  ...topics,
  ...conversations,
  ...readState,
  ...drafts,
  ...savedSnippets,
  ...scheduledMessages,
  ...reminders,
  ...alertWords,
  ...mutedUsers,
  ...navigationViews,
  ...onboardingSteps,
  ...presence,
  ...profileFields,
  ...userStatuses,
};

/** The state that a client asks for, as it is in this synchronous turn. Fields: contract/register.json. */
export function registerState(context: RegisterContext): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  if (isSpectator(context.viewer)) {
    for (const [name, part] of Object.entries(publicParts)) {
      if (context.fetches(name))
        Object.assign(
          state,
          part(context, () => parts[name]?.(context) ?? {}),
        );
    }
    return state;
  }
  for (const [name, part] of Object.entries(parts)) if (context.fetches(name)) Object.assign(state, part(context));
  return state;
}
