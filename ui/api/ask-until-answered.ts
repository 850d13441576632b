const STEP_MS = 250;
const MAX_MS = 4_000;
/** After this time, a proxy, a hanging server or a lost network may hold the response forever. */
export const ANSWER_MS = 10_000;

export interface AskOptions<T> {
  ask(signal: AbortSignal): Promise<T>;
  /** Whether a response ends the wait. Default: any response does. */
  accepts?: (answer: T) => boolean;
  /** Whether another attempt is useless, so that the error is thrown. Default: never. */
  isFinal?: (error: unknown) => boolean;
  /** Called for each failed attempt from the second one on, and for each timeout. */
  onError?: (() => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Tries with a growing pause until it gets an accepted response. Each attempt times out after ANSWER_MS. */
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
