import type { App } from "../../app.ts";
import type { Rendered } from "../../markdown/render.ts";
import { answerableFor, type User } from "../queries/users.ts";

/**
 * Counts the bytes of a text and its HTML. Otherwise requests alone could fill the disk within an hour. Does not count
 * the operator's requests. Errors: RATE_LIMIT_HIT.
 */
export function countStoredBytes(
  { app, viewer, isOperator }: { app: App; viewer: User; isOperator: boolean },
  { content, rendered }: { content: string; rendered: Rendered },
): void {
  if (!isOperator) count(app, viewer, Buffer.byteLength(content) + Buffer.byteLength(rendered.html));
}

/** Counts the bytes of bot storage. Errors: RATE_LIMIT_HIT. */
export function countStorageBytes(
  { app, viewer, isOperator }: { app: App; viewer: User; isOperator: boolean },
  entries: Readonly<Record<string, string>>,
): void {
  if (!isOperator) count(app, viewer, Buffer.byteLength(JSON.stringify(entries)));
}

const count = (app: App, viewer: User, bytes: number): void =>
  app.storedBytes.countBytes(answerableFor(app.store.reader, viewer.id), bytes);
