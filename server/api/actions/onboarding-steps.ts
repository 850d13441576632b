import type { Transaction } from "../../storage/transaction.ts";
import { onboardingStepsOnWire } from "../presenters/onboarding-steps.ts";
import { type OnboardingStep, onboardingStepsFor } from "../queries/onboarding-steps.ts";
import type { User } from "../queries/users.ts";

/** Records that the owner has seen this step; does nothing the second time. */
export function finishOnboardingStep(tx: Transaction, owner: User, step: OnboardingStep): void {
  if (!onboardingStepsFor(tx, owner).includes(step)) return;
  tx.run("INSERT INTO onboarding_steps (user_id, name) VALUES (?, ?)", owner.id, step);
  const onboarding_steps = onboardingStepsOnWire(tx, owner);
  tx.emit({ type: "onboarding_steps", onboarding_steps }, { users: [owner.id] });
}
