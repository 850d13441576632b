/** What work that may be interrupted comes to, without interruption. */
export function finished<T>(work: Iterator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
