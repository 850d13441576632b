import type { Reader } from "../../storage/transaction.ts";
import type { User } from "./users.ts";

/** Hints that clients show once to each person. The names are the public protocol's; the texts are in the clients. */
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

/** The steps that the user has not seen yet; none for bots. */
export function onboardingStepsFor(reader: Reader, user: User): OnboardingStep[] {
  if (user.is_bot) return [];
  const done = reader.values<string>("SELECT name FROM onboarding_steps WHERE user_id = ?", user.id);
  return ONBOARDING_STEPS.filter((name) => !done.includes(name));
}
