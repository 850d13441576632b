import type { App } from "../../app.ts";
import type { Rendered } from "../../markdown/render.ts";
import { answerableFor, type User } from "../queries/users.ts";

/**
 * Counts what a text takes up, as the viewer typed it and as HTML: requests alone could fill the disk within an hour.
 * The operator's own calls are not counted. @throws RATE_LIMIT_HIT
 */
export function countStoredBytes(
  { app, viewer, isOperator }: { app: App; viewer: User; isOperator: boolean },
  { content, rendered }: { content: string; rendered: Rendered },
): void {
  if (!isOperator) count(app, viewer, Buffer.byteLength(content) + Buffer.byteLength(rendered.html));
}

/** Counts what a program remembers. @throws RATE_LIMIT_HIT */
export function countRememberedBytes(
  { app, viewer, isOperator }: { app: App; viewer: User; isOperator: boolean },
  entries: Readonly<Record<string, string>>,
): void {
  if (!isOperator) count(app, viewer, Buffer.byteLength(JSON.stringify(entries)));
}

const count = (app: App, viewer: User, bytes: number): void =>
  app.storedBytes.countBytes(answerableFor(app.store.reader, viewer.id), bytes);
