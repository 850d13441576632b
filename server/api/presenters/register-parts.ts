import { z } from "zod";
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
import { registerParts as playgrounds } from "./playgrounds.ts";
import { registerParts as presence } from "./presence.ts";
import { registerParts as profileFields } from "./profile-fields.ts";
import { registerParts as readStates } from "./read-state.ts";
import {
  type Fields,
  type FieldValues,
  type RegisterContext,
  type RegisterPart,
  registerPart,
} from "./register-part.ts";
import { registerParts as reminders } from "./reminders.ts";
import { registerParts as savedSnippets } from "./saved-snippets.ts";
import { registerParts as scheduledMessages } from "./scheduled-messages.ts";
import { registerParts as subscriptions } from "./subscriptions.ts";
import { registerParts as topics } from "./topics.ts";
import { registerParts as userGroups } from "./user-groups.ts";
import { registerParts as userSettings } from "./user-settings.ts";
import { registerParts as userStatuses } from "./user-statuses.ts";
import { registerParts as users } from "./users.ts";

const none = z.array(z.never());
const emptyMap = z.record(z.string(), z.never());

const constantPart = <F extends Fields>(fields: F, values: FieldValues<F>) =>
  registerPart({ fields, read: () => values, spectators: "same" });

/**
 * Parts of /register for features that Hearth does not support. Clients expect their fields, so they are present and
 * empty. When you add a feature, move its part to its own presenter.
 */
const unsupportedFeatures = {
  giphy: constantPart({ giphy_api_key: z.string() }, { giphy_api_key: "" }),
  push_device: constantPart({ push_devices: emptyMap }, { push_devices: {} }),
  realm_billing: constantPart(
    { realm_billing: z.object({ has_pending_sponsorship_request: z.boolean() }) },
    { realm_billing: { has_pending_sponsorship_request: false } },
  ),
  stop_words: constantPart({ stop_words: none }, { stop_words: [] }), // search ignores no words
  video_calls: constantPart({ has_zoom_token: z.boolean() }, { has_zoom_token: false }),
};

/** All parts of POST /register, by name in `fetch_event_types`. */
export const registerParts = {
  ...organization,
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
  ...readStates,
  ...drafts,
  ...savedSnippets,
  ...scheduledMessages,
  ...reminders,
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

/** A schema of the fields of all these parts. All fields are optional, since clients request only some parts. */
const stateOf = <P extends Parts, W extends Which>(parts: P, which: W) =>
  z
    .object(
      Object.assign({}, ...Object.values(parts).map((part) => part[which])) as {
        [Name in keyof FieldsIn<P, W>]: FieldsIn<P, W>[Name] extends z.ZodType ? FieldsIn<P, W>[Name] : never;
      },
    )
    .exactPartial();

/** The response of POST /register without the queue, for users and for spectators. */
export const registerState = stateOf(registerParts, "fields");
export const publicState = stateOf(registerParts, "spectatorFields");

const parts = Object.entries<RegisterPart<Fields, Fields>>(registerParts);

/**
 * Reads slow parts step by step. The turn that reads the state finds the results in the cache, unless they have
 * changed.
 */
export function* readAhead(context: RegisterContext): Generator<undefined, void> {
  for (const [name, part] of parts) {
    if (!part.readAhead || !context.fetches(name)) continue;
    yield* part.readAhead(context);
    yield;
  }
}

function stateIn(context: RegisterContext, read: "read" | "readForSpectators"): object {
  const state = {};
  for (const [name, part] of parts) if (context.fetches(name)) Object.assign(state, part[read](context));
  return state;
}

export const readState = (context: RegisterContext): z.output<typeof registerState> => stateIn(context, "read");
export const readPublicState = (context: RegisterContext): z.output<typeof publicState> =>
  stateIn(context, "readForSpectators");
