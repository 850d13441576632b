import { z } from "zod";
import { onboardingStepsFor, wireOnboardingStep } from "../queries/onboarding-steps.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  onboarding_steps: registerPart({
    fields: { onboarding_steps: z.array(wireOnboardingStep), navigation_tour_video_url: z.null() },
    read: ({ reader, viewer }) => ({
      onboarding_steps: onboardingStepsFor(reader, viewer),
      navigation_tour_video_url: null, // Hearth loads nothing from the internet
    }),
    spectators: { onboarding_steps: [], navigation_tour_video_url: null },
  }),
};
