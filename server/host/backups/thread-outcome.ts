import type { Worker } from "node:worker_threads";

/** The last message of a thread that works on one thing. */
export type LastMessage<Result> =
  | { type: "done"; result: Result }
  | { type: "failed"; name: string; message: string; system: SystemError };

/** What tells an error of the system in words (storage/errors.ts). */
type SystemError = Pick<NodeJS.ErrnoException, "code" | "path" | "syscall">;

export const failedMessage = ({ name, message, code, path, syscall }: NodeJS.ErrnoException): LastMessage<never> => ({
  type: "failed",
  name,
  message,
  system: { ...(code && { code }), ...(path && { path }), ...(syscall && { syscall }) },
});

/**
 * What came of a thread, once it has exited: nothing of it is under way when the caller continues. Rejects with
 * `errorOf` what it failed with; `on` gets the messages before the last.
 */
export function threadOutcome<Result, Meanwhile extends { type: string }>(
  thread: Worker,
  { on, errorOf }: { on: (message: Meanwhile) => void; errorOf: (failure: { name: string; message: string }) => Error },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let last: LastMessage<Result> = failedMessage(
      new Error(`The thread that works on ${thread.threadName} has ended.`),
    );
    thread.on("message", (message: LastMessage<Result> | Meanwhile) => {
      if (message.type === "done" || message.type === "failed") last = message as LastMessage<Result>;
      else on(message as Meanwhile);
    });
    thread.on("error", reject);
    thread.on("exit", () => {
      if (last.type === "done") resolve(last.result);
      else reject(Object.assign(errorOf(last), last.system));
    });
  });
}
