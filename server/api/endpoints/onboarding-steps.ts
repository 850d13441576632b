import { integer, oneOf } from "../../http/params.ts";
import { finishOnboardingStep } from "../actions/onboarding-steps.ts";
import { ONBOARDING_STEPS } from "../queries/onboarding-steps.ts";
import { endpoint } from "./endpoint.ts";

export const postOnboardingStep = endpoint({
  route: "POST /users/me/onboarding_steps",
  summary: "Mark an onboarding step as done.",
  who: "guest",
  bots: false,
  params: {
    onboarding_step: oneOf(...ONBOARDING_STEPS),
    schedule_navigation_tour_video_reminder_delay: integer({ min: 0 })
      .optional()
      .describe("No effect: there is no video."),
  },
  handle: ({ viewer, params, transact }) => transact((tx) => finishOnboardingStep(tx, viewer, params.onboarding_step)),
});
