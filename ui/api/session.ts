import type { Answer, Client } from "./client.ts";

export type Session = Answer<"GET /host/session">;

export interface SessionOptions {
  client: Client;
  /** Which answer to wait for; by default any. */
  accepts?: (session: Session) => boolean;
  /** Called each time the server does not answer, from the second time on. */
  onError?(): void;
  signal?: AbortSignal;
}

const STEP_MS = 250;
const MAX_MS = 4_000;

/** Asks until the server gives an accepted answer: it may be starting, or changing from first run to normal operation. */
export async function askSession({ client, accepts = () => true, onError, signal }: SessionOptions): Promise<Session> {
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      const session = await client.call("GET /host/session", {}, signal);
      if (accepts(session)) return session;
    } catch {
      signal?.throwIfAborted();
      if (attempt > 0) onError?.();
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(MAX_MS, STEP_MS * (attempt + 1))));
  }
}

/** Whether the administration page is for the caller: guests and those who are not signed in have nothing to do there. */
export const hasAdminPages = ({ access }: Session): boolean => access !== "none";

/** Whether the caller looks after the organization: the operator, owners and administrators. */
export const mayManage = ({ access }: Session): boolean => access === "host" || access === "organization";

/** Whether the caller also looks after the machine that Hearth runs on: the operator and owners. */
export const mayManageHost = ({ access }: Session): boolean => access === "host";
