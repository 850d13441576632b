import { askUntilAnswered } from "./ask-until-answered.ts";
import type { Answer, Client } from "./client.ts";

export type Session = Answer<"GET /host/session">;

export interface SessionOptions {
  client: Client;
  /** Whether a response ends the wait. Default: any response does. */
  accepts?: (session: Session) => boolean;
  /** Called for each failed attempt from the second one on, and for each timeout. */
  onError?: () => void;
  signal?: AbortSignal;
}

/** Retries until it gets an accepted response: the server can be starting, or leaving the first run. */
export const askSession = ({ client, ...options }: SessionOptions): Promise<Session> =>
  askUntilAnswered({ ...options, ask: (signal) => client.call("GET /host/session", {}, signal) });

/** Guests and visitors without an account have no administration pages. */
export const hasAdminPages = ({ access }: Session): boolean => access !== "none";

/** Whether the caller manages the organization: the operator, owners and administrators. */
export const mayManage = ({ access }: Session): boolean => access === "host" || access === "organization";

/** Whether the caller also manages the machine that runs Hearth: the operator and owners. */
export const mayManageHost = ({ access }: Session): boolean => access === "host";
