import { onboardingStepsFor } from "../queries/onboarding-steps.ts";
import type { RegisterPart } from "./register-context.ts";

export const registerParts: Record<string, RegisterPart> = {
  onboarding_steps: ({ reader, viewer }) => ({
    onboarding_steps: onboardingStepsFor(reader, viewer),
    navigation_tour_video_url: null, // nothing is asked of the internet
  }),
};
