import { useCallback, useEffect, useState } from "react";
import type { Client } from "./client.ts";
import { useClient } from "./client-context.ts";
import { askSession, type Session } from "./session.ts";

export interface FollowedSession {
  /** Undefined until the server has answered. */
  session: Session | undefined;
  /** The server has not answered yet, after several attempts. */
  isUnreachable: boolean;
  setSession(session: Session): void;
  /** Asks the server again who is signed in. */
  askAgain(): void;
}

/** Who is signed in here, as GET /host/session answers. `onAnswer` is called with each answer. */
export function useSession(onAnswer: (session: Session) => void = () => {}): FollowedSession {
  const client = useClient();
  const [session, setSession] = useState<Session>();
  const [attempt, setAttempt] = useState(0);
  const [isUnreachable, setUnreachable] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` asks again
  useEffect(() => {
    const controller = new AbortController();
    askSession({ client, onError: () => setUnreachable(true), signal: controller.signal }).then(
      (answer) => {
        onAnswer(answer);
        setUnreachable(false);
        setSession(answer);
      },
      () => {}, // aborted: the page was closed, or asks again
    );
    return () => controller.abort();
  }, [client, attempt]);

  return { session, isUnreachable, setSession, askAgain: useCallback(() => setAttempt((count) => count + 1), []) };
}

/** If the server does not answer, the session survives, and the next answer shows it. */
export const endSession = (client: Client): Promise<unknown> => client.call("DELETE /host/session", {}).catch(() => {});
