import { z } from "zod";
import { type Problem, readProblem, reported } from "../../errors.ts";

/** A problem as an API returns it: docs/protocol.md#errors. */
export const wireProblem = z.object({
  msg: z.string().describe("In English."),
  reason: z.string(),
  params: z.record(z.string(), z.unknown()).describe("The values in `msg`."),
});
export type WireProblem = z.output<typeof wireProblem>;

export const storedProblemInWire = (stored: string | null): WireProblem | null => {
  const problem = readProblem(stored);
  return problem && reported(problem);
};

/** The state of the backups: its failure has a text too. */
export const backupsInWire = <S extends { failure: { at: number; problem: Problem } | null }>(state: S) => ({
  ...state,
  failure: state.failure && { at: state.failure.at, problem: reported(state.failure.problem) },
});
