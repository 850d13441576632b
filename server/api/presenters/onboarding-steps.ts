import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { onboardingStepsFor } from "../queries/onboarding-steps.ts";
import type { User } from "../queries/users.ts";
import { registerPart } from "./register-part.ts";

const wireOnboardingStep = z.object({ type: z.literal("one_time_notice"), name: z.string() });
export type WireOnboardingStep = z.output<typeof wireOnboardingStep>;

export const onboardingStepsOnWire = (reader: Reader, viewer: User): WireOnboardingStep[] =>
  onboardingStepsFor(reader, viewer).map((name) => ({ type: "one_time_notice", name }));

export const registerParts = {
  onboarding_steps: registerPart({
    fields: { onboarding_steps: z.array(wireOnboardingStep), navigation_tour_video_url: z.null() },
    read: ({ reader, viewer }) => ({
      onboarding_steps: onboardingStepsOnWire(reader, viewer),
      navigation_tour_video_url: null, // Hearth does not load content from the internet
    }),
    spectators: { onboarding_steps: [], navigation_tour_video_url: null },
  }),
};
