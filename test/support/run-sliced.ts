/** Runs sliced work to its end immediately and returns the result. */
export function runSliced<T>(work: Iterator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
