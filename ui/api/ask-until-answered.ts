const STEP_MS = 250;
const MAX_MS = 4_000;
/** What holds an answer back for longer may hold it for ever: a proxy, a server that hangs, a network that was left. */
export const ANSWER_MS = 10_000;

export interface AskOptions<T> {
  /** Makes one attempt, which ends when `signal` is aborted. */
  ask(signal: AbortSignal): Promise<T>;
  /** Which answer to wait for; by default any. */
  accepts?: (answer: T) => boolean;
  /** Whether no other attempt would bring anything else: the error is thrown. By default none is. */
  isFinal?: (error: unknown) => boolean;
  /** Called each time there is no answer: from the second time on, and where one was waited for as long as is allowed. */
  onError?: (() => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Asks, with a growing pause, until there is an accepted answer. No attempt waits longer than ANSWER_MS. */
export async function askUntilAnswered<T>(options: AskOptions<T>): Promise<T> {
  const { ask, accepts = () => true, isFinal = () => false, onError, signal } = options;
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stop = () => controller.abort();
    const timer = setTimeout(stop, ANSWER_MS);
    signal?.addEventListener("abort", stop);
    try {
      const answer = await ask(controller.signal);
      if (accepts(answer)) return answer;
    } catch (error) {
      signal?.throwIfAborted();
      if (isFinal(error)) throw error;
      if (attempt > 0 || controller.signal.aborted) onError?.();
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(MAX_MS, STEP_MS * (attempt + 1))));
  }
}
