import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

/** 0 (guessed at once) to 4 (strong). */
export type Estimate = (password: string, known: string[]) => number;

export function estimator(): Estimate {
  const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: 100 });
  return (password, known) => zxcvbn.check(password, known.filter(Boolean)).score;
}
