import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Client } from "./client.ts";
import { useClient } from "./client-context.ts";
import { askSession, type Session } from "./session.ts";

export interface FollowedSession {
  /** Undefined until the first response. */
  session: Session | undefined;
  /** Several attempts have failed. */
  isUnreachable: boolean;
  setSession(session: Session): void;
  askAgain(): void;
}

/** All tabs of a browser share a session: each tab broadcasts its user, and the others follow. */
const CHANNEL = "hearth-session";
const signedIn = (session: Session): number | null => session.user?.user_id ?? null;

/**
 * The session of this browser, also after a sign-in or sign-out in another tab. `onAnswer` is called with each
 * response.
 */
export function useSession(onAnswer: (session: Session) => void = () => {}): FollowedSession {
  const client = useClient();
  const [session, setSession] = useState<Session>();
  const [attempt, setAttempt] = useState(0);
  const [isUnreachable, setUnreachable] = useState(false);

  const channel = useRef<BroadcastChannel>(undefined);
  const follow = useEffectEvent((user: number | null) => {
    if (session && signedIn(session) !== user) setAttempt((count) => count + 1);
  });
  const receive = useEffectEvent((answer: Session) => {
    onAnswer(answer);
    setUnreachable(false);
    setSession(answer);
    channel.current?.postMessage(signedIn(answer));
  });

  useEffect(() => {
    const opened = new BroadcastChannel(CHANNEL);
    opened.onmessage = ({ data }: MessageEvent<number | null>) => follow(data);
    channel.current = opened;
    return () => opened.close();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` asks again
  useEffect(() => {
    const controller = new AbortController();
    askSession({ client, onError: () => setUnreachable(true), signal: controller.signal }).then(
      (answer) => receive(answer),
      () => {}, // aborted: the page closed, or asks again
    );
    return () => controller.abort();
  }, [client, attempt]);

  return { session, isUnreachable, setSession, askAgain: useCallback(() => setAttempt((count) => count + 1), []) };
}

/** If the server does not respond, the session survives, and the next response shows it. */
export const endSession = (client: Client): Promise<unknown> => client.call("DELETE /host/session", {}).catch(() => {});
