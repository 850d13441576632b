import { askUntilAnswered } from "./ask-until-answered.ts";
import type { Answer, Client } from "./client.ts";

export type Session = Answer<"GET /host/session">;

export interface SessionOptions {
  client: Client;
  /** Which answer to wait for; by default any. */
  accepts?: (session: Session) => boolean;
  /** Called each time the server does not answer, from the second time on or after ten seconds. */
  onError?: () => void;
  signal?: AbortSignal;
}

/** Asks until the server gives an accepted answer: it may be starting, or changing from first run to normal operation. */
export const askSession = ({ client, ...options }: SessionOptions): Promise<Session> =>
  askUntilAnswered({ ...options, ask: (signal) => client.call("GET /host/session", {}, signal) });

/** Whether the administration page is for the caller: guests and those who are not signed in have nothing to do there. */
export const hasAdminPages = ({ access }: Session): boolean => access !== "none";

/** Whether the caller looks after the organization: the operator, owners and administrators. */
export const mayManage = ({ access }: Session): boolean => access === "host" || access === "organization";

/** Whether the caller also looks after the machine that Hearth runs on: the operator and owners. */
export const mayManageHost = ({ access }: Session): boolean => access === "host";
