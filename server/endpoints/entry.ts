import { type Entry, entryBy, OPEN_TO_ALL } from "../access/invitations.ts";
import { giveOn, isAllGiven, type NewMember } from "../actions/joining.ts";
import type { App } from "../app.ts";
import { ApiError } from "../errors.ts";
import type { Transact } from "../http/endpoint.ts";
import { runInSlices } from "../slices/run-in-slices.ts";

interface Visit {
  app: App;
  address: string;
}

/** By what somebody joins, slowed down against guessing: wrong tokens count against the address that they come from. */
export function entryOf({ app, address }: Visit, token: string): Entry {
  const attempt = app.links.begin("", address);
  let end: keyof typeof attempt = "abandoned";
  try {
    const entry = entryBy(app.store.reader, app.keys, token, app.now());
    end = "succeeded";
    return entry;
  } catch (error) {
    // The way in that needs no token is no guess, even where it is closed.
    if (error instanceof ApiError && token !== OPEN_TO_ALL) end = "failed";
    throw error;
  } finally {
    attempt[end]();
  }
}

/** The status with which the page behind a link is sent: 200 where somebody can join by it. */
export const invitedAt =
  (app: App) =>
  (token: string, address: string): number => {
    try {
      entryOf({ app, address }, token);
      return 200;
    } catch (error) {
      if (error instanceof ApiError) return error.status;
      throw error;
    }
  };

/** Gives somebody new what was too much for one turn, whether they wait for it or not. */
export async function giveTheRest(
  { app, transact }: { app: App; transact: Transact },
  { user, rest }: NewMember,
): Promise<void> {
  let left = rest;
  await runInSlices({ app, onGone() {} }, (begins) => {
    if (!begins) left = transact((tx) => giveOn(tx, user.id, left));
    return isAllGiven(left);
  });
}
