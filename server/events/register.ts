import { isSpectator } from "../access/public-access.ts";
import { registerParts as alertWords } from "../presenters/alert-words.ts";
import { registerParts as channelFolders } from "../presenters/channel-folders.ts";
import { registerParts as channels } from "../presenters/channels.ts";
import { registerParts as conversations } from "../presenters/conversations.ts";
import { registerParts as defaultStreamGroups } from "../presenters/default-stream-groups.ts";
import { registerParts as drafts } from "../presenters/drafts.ts";
import { registerParts as mutedUsers } from "../presenters/muted-users.ts";
import { registerParts as navigationViews } from "../presenters/navigation-views.ts";
import { registerParts as onboardingSteps } from "../presenters/onboarding-steps.ts";
import { registerParts as organization } from "../presenters/organization.ts";
import { registerParts as organizationDomains } from "../presenters/organization-domains.ts";
import { registerParts as presence } from "../presenters/presence.ts";
import { registerParts as profileFields } from "../presenters/profile-fields.ts";
import { publicParts } from "../presenters/public-access.ts";
import { registerParts as readState } from "../presenters/read-state.ts";
import type { RegisterContext, RegisterPart } from "../presenters/register-context.ts";
import { registerParts as none } from "../presenters/register-empty.ts";
import { registerParts as reminders } from "../presenters/reminders.ts";
import { registerParts as savedSnippets } from "../presenters/saved-snippets.ts";
import { registerParts as scheduledMessages } from "../presenters/scheduled-messages.ts";
import { registerParts as subscriptions } from "../presenters/subscriptions.ts";
import { registerParts as topics } from "../presenters/topics.ts";
import { registerParts as userGroups } from "../presenters/user-groups.ts";
import { registerParts as userSettings } from "../presenters/user-settings.ts";
import { registerParts as userStatuses } from "../presenters/user-statuses.ts";
import { registerParts as users } from "../presenters/users.ts";

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

/** The state that a client asks for, as it is in this synchronous turn. Fields: docs/protocol.md#register. */
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
