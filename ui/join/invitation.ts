import type { Answer } from "../api/client.ts";

export type Invitation = Answer<"POST /host/join/open">;
export type Account = Answer<"POST /host/join">;

/** In the place of a token: to join without an invitation, where none is required. */
export const OPEN_TO_ALL = "open";
