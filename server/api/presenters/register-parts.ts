import { z } from "zod";
import { registerParts as alertWords } from "./alert-words.ts";
import { registerParts as bots } from "./bots.ts";
import { registerParts as channelFolders } from "./channel-folders.ts";
import { registerParts as channels } from "./channels.ts";
import { registerParts as conversations } from "./conversations.ts";
import { registerParts as defaultStreamGroups } from "./default-stream-groups.ts";
import { registerParts as drafts } from "./drafts.ts";
import { registerParts as emoji } from "./emoji.ts";
import { registerParts as linkifiers } from "./linkifiers.ts";
import { registerParts as mutedUsers } from "./muted-users.ts";
import { registerParts as navigationViews } from "./navigation-views.ts";
import { registerParts as onboardingSteps } from "./onboarding-steps.ts";
import { registerParts as organization } from "./organization.ts";
import { registerParts as organizationDomains } from "./organization-domains.ts";
import { registerParts as playgrounds } from "./playgrounds.ts";
import { registerParts as presence } from "./presence.ts";
import { registerParts as profileFields } from "./profile-fields.ts";
import { registerParts as readState } from "./read-state.ts";
import type { Fields, RegisterPart } from "./register-part.ts";
import { registerParts as reminders } from "./reminders.ts";
import { registerParts as savedSnippets } from "./saved-snippets.ts";
import { registerParts as scheduledMessages } from "./scheduled-messages.ts";
import { registerParts as subscriptions } from "./subscriptions.ts";
import { registerParts as topics } from "./topics.ts";
import { registerParts as unsupportedFeatures } from "./unsupported-features.ts";
import { registerParts as userGroups } from "./user-groups.ts";
import { registerParts as userSettings } from "./user-settings.ts";
import { registerParts as userStatuses } from "./user-statuses.ts";
import { registerParts as users } from "./users.ts";

/** Every part of POST /register, by its name in `fetch_event_types`. */
export const registerParts = {
  ...organization,
  ...organizationDomains,
  ...linkifiers,
  ...playgrounds,
  ...users,
  ...bots,
  ...userGroups,
  ...emoji,
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
  ...unsupportedFeatures,
};
export type PartName = keyof typeof registerParts;

type Parts = Readonly<Record<string, RegisterPart<Fields, Fields>>>;
type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never;
type Which = "fields" | "spectatorFields";
type FieldsIn<P extends Parts, W extends Which> = Intersection<P[keyof P][W]>;

/** A schema of the fields of all these parts. Each field may be absent: clients ask for the parts that they want. */
const stateOf = <P extends Parts, W extends Which>(parts: P, which: W) =>
  z
    .object(
      Object.assign({}, ...Object.values(parts).map((part) => part[which])) as {
        [Name in keyof FieldsIn<P, W>]: FieldsIn<P, W>[Name] extends z.ZodType ? FieldsIn<P, W>[Name] : never;
      },
    )
    .exactPartial();

/** What POST /register answers with beside the queue: for people, and for spectators. */
export const registerState = stateOf(registerParts, "fields");
export const publicState = stateOf(registerParts, "spectatorFields");
