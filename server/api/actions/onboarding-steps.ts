import type { Transaction } from "../../storage/transaction.ts";
import { type OnboardingStep, onboardingStepsFor } from "../queries/onboarding-steps.ts";
import type { User } from "../queries/users.ts";

/** Does nothing if the step is already finished. */
export function finishOnboardingStep(tx: Transaction, owner: User, step: OnboardingStep): void {
  if (!onboardingStepsFor(tx, owner).some(({ name }) => name === step)) return;
  tx.run("INSERT INTO onboarding_steps (user_id, name) VALUES (?, ?)", owner.id, step);
  const onboarding_steps = onboardingStepsFor(tx, owner);
  tx.emit({ type: "onboarding_steps", onboarding_steps }, { users: [owner.id] });
}
