import type { Answer } from "../api/client.ts";

export type Invitation = Answer<"POST /host/join/open">;

/** Stands in place of a token when an organization can be joined without an invitation. */
export const OPEN_TO_ALL = "open";
