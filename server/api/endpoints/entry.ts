import type { App } from "../../app.ts";
import { ApiError } from "../../errors.ts";
import type { Transact } from "../../http/endpoint.ts";
import { runInSlices } from "../../http/run-in-slices.ts";
import { type Entry, entryBy, OPEN_TO_ALL } from "../access/invitations.ts";
import { grantNext, isAllGranted, type NewMember } from "../actions/joining.ts";

interface Visit {
  app: App;
  /** The source that limits count. */
  source: string;
}

/** Wrong tokens count against the source, to prevent guessing. */
export function entryOf({ app, source }: Visit, token: string): Entry {
  const attempt = app.links.begin("", source);
  let end: keyof typeof attempt = "abandoned";
  try {
    const entry = entryBy(app.store.reader, app.keys, token, app.now());
    end = "succeeded";
    return entry;
  } catch (error) {
    // Joining without an invitation is not a guess.
    if (error instanceof ApiError && token !== OPEN_TO_ALL) end = "failed";
    throw error;
  } finally {
    attempt[end]();
  }
}

/** The status of a link's page: 200 if people can join with it. */
export const invitedAt =
  (app: App) =>
  (token: string, source: string): number => {
    try {
      entryOf({ app, source }, token);
      return 200;
    } catch (error) {
      if (error instanceof ApiError) return error.status;
      throw error;
    }
  };

/** Continues even if the caller disconnects. */
export async function grantRest(
  { app, transact }: { app: App; transact: Transact },
  { user, rest }: NewMember,
): Promise<void> {
  let remaining = rest;
  await runInSlices({ app, onGone() {} }, (begins) => {
    if (!begins) remaining = transact((tx) => grantNext(tx, user.id, remaining));
    return isAllGranted(remaining);
  });
}
