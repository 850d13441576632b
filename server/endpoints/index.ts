import * as alertWords from "./alert-words.ts";
import * as apiKeys from "./api-keys.ts";
import * as channelFolders from "./channel-folders.ts";
import * as channelSettings from "./channel-settings.ts";
import * as channels from "./channels.ts";
import * as defaultChannels from "./default-channels.ts";
import * as defaultStreamGroups from "./default-stream-groups.ts";
import * as drafts from "./drafts.ts";
import * as eventQueues from "./event-queues.ts";
import * as fetchApiKey from "./fetch-api-key.ts";
import * as invitations from "./invitations.ts";
import * as joining from "./joining.ts";
import * as messageEdits from "./message-edits.ts";
import * as messageFlags from "./message-flags.ts";
import * as messageRendering from "./message-rendering.ts";
import * as messageReports from "./message-reports.ts";
import * as messages from "./messages.ts";
import * as mutedUsers from "./muted-users.ts";
import * as navigationViews from "./navigation-views.ts";
import * as onboardingSteps from "./onboarding-steps.ts";
import * as hostAudit from "./operator-audit.ts";
import * as hostSession from "./operator-session.ts";
import * as hostSettings from "./operator-settings.ts";
import * as hostSetup from "./operator-setup.ts";
import * as hostState from "./operator-state.ts";
import * as organization from "./organization.ts";
import * as organizationDomains from "./organization-domains.ts";
import * as presence from "./presence.ts";
import * as profileFields from "./profile-fields.ts";
import * as reactions from "./reactions.ts";
import * as readReceipts from "./read-receipts.ts";
import * as reminders from "./reminders.ts";
import * as savedSnippets from "./saved-snippets.ts";
import * as scheduledMessages from "./scheduled-messages.ts";
import * as serverSettings from "./server-settings.ts";
import * as signInLinks from "./sign-in-links.ts";
import * as submessages from "./submessages.ts";
import * as subscriptionLists from "./subscription-lists.ts";
import * as subscriptionRemovals from "./subscription-removals.ts";
import * as subscriptionSettings from "./subscription-settings.ts";
import * as subscriptions from "./subscriptions.ts";
import * as topics from "./topics.ts";
import * as typing from "./typing.ts";
import * as userDeactivation from "./user-deactivation.ts";
import * as userGroupMembers from "./user-group-members.ts";
import * as userGroups from "./user-groups.ts";
import * as userSettingDefaults from "./user-setting-defaults.ts";
import * as userSettings from "./user-settings.ts";
import * as userStatuses from "./user-statuses.ts";
import * as users from "./users.ts";

const nouns = {
  ...apiKeys,
  ...channelFolders,
  ...channelSettings,
  ...channels,
  ...defaultChannels,
  ...defaultStreamGroups,
  ...drafts,
  ...eventQueues,
  ...fetchApiKey,
  ...hostAudit,
  ...hostSession,
  ...hostSettings,
  ...hostSetup,
  ...hostState,
  ...invitations,
  ...joining,
  ...messageEdits,
  ...messageFlags,
  ...messageRendering,
  ...messageReports,
  ...messages,
  ...organization,
  ...organizationDomains,
  ...reactions,
  ...readReceipts,
  ...reminders,
  ...savedSnippets,
  ...scheduledMessages,
  ...serverSettings,
  ...signInLinks,
  ...submessages,
  ...subscriptionLists,
  ...subscriptionRemovals,
  ...subscriptionSettings,
  ...subscriptions,
  ...topics,
  ...userSettingDefaults,
  ...userSettings,
  ...userGroupMembers,
  ...userGroups,
  ...userDeactivation,
  ...alertWords,
  ...mutedUsers,
  ...navigationViews,
  ...onboardingSteps,
  ...presence,
  ...profileFields,
  ...userStatuses,
  ...typing,
  ...users,
};

/** Every endpoint by its name: the typed client of ui/ is made from this type. */
export type Endpoints = typeof nouns;

export const endpoints = Object.values(nouns);
