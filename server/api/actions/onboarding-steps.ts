import type { Transaction } from "../../storage/transaction.ts";
import { onboardingStepsOnWire } from "../presenters/onboarding-steps.ts";
import { type OnboardingStep, onboardingStepsFor } from "../queries/onboarding-steps.ts";
import type { User } from "../queries/users.ts";
import { insertRow } from "./rows.ts";

/** Does nothing if the step is already finished. */
export function finishOnboardingStep(tx: Transaction, owner: User, step: OnboardingStep): void {
  if (!onboardingStepsFor(tx, owner).includes(step)) return;
  insertRow(tx, "onboarding_steps", { user_id: owner.id, name: step });
  const onboarding_steps = onboardingStepsOnWire(tx, owner);
  tx.emit({ type: "onboarding_steps", onboarding_steps }, { users: [owner.id] });
}
