import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import type { User } from "./users.ts";

/** A notice that clients show once to each person. */
export const wireOnboardingStep = z.object({ type: z.literal("one_time_notice"), name: z.string() });
export type WireOnboardingStep = z.output<typeof wireOnboardingStep>;

/** The public protocol's names; clients have the texts. */
export const ONBOARDING_STEPS = [
  "visibility_policy_banner",
  "intro_inbox_view_modal",
  "intro_recent_view_modal",
  "first_stream_created_banner",
  "jump_to_conversation_banner",
  "non_interleaved_view_messages_fading",
  "interleaved_view_messages_fading",
  "intro_resolve_topic",
] as const;
export type OnboardingStep = (typeof ONBOARDING_STEPS)[number];

const doneSteps = (reader: Reader, user: User): ReadonlySet<string> =>
  new Set(reader.values<string>("SELECT name FROM onboarding_steps WHERE user_id = ?", user.id));

/** The steps that the person has not seen yet; none for bots. */
export function onboardingStepsFor(reader: Reader, user: User): WireOnboardingStep[] {
  if (user.is_bot) return [];
  const done = doneSteps(reader, user);
  return ONBOARDING_STEPS.filter((name) => !done.has(name)).map((name) => ({ type: "one_time_notice", name }));
}
