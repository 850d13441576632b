import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

/** 0 (guessed at once) to 4 (strong). */
export type StrengthEstimator = (password: string, userInputs: string[]) => number;

export function createEstimator(): StrengthEstimator {
  const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: 100 });
  return (password, userInputs) => zxcvbn.check(password, userInputs.filter(Boolean)).score;
}
