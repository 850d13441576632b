import type { Answer, Client } from "./client.ts";

export type Session = Answer<"GET /host/session">;

export interface SessionOptions {
  client: Client;
  /** Which answer is waited for; any where left out. */
  wanted?: (session: Session) => boolean;
  /** Called when the server has not answered for the second time. */
  onError?(): void;
  signal?: AbortSignal;
}

const OWNER = 100;
const STEP_MS = 250;
const MAX_MS = 4_000;

/** Asks until the server answers as wanted: it may just be starting, or changing from first run to ordinary work. */
export async function askSession({ client, wanted = () => true, onError, signal }: SessionOptions): Promise<Session> {
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      const session = await client.call("GET /host/session", {}, signal);
      if (wanted(session)) return session;
    } catch {
      signal?.throwIfAborted();
      if (attempt > 0) onError?.();
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(MAX_MS, STEP_MS * (attempt + 1))));
  }
}

export const mayManage = (session: Session): boolean => session.at_desktop || session.user?.role === OWNER;
