import type { App } from "../app.ts";
import type { Rendered } from "../markdown/render.ts";
import type { User } from "../queries/users.ts";

/**
 * Counts what a text takes up, as the viewer typed it and as HTML: requests alone could fill the disk within an hour.
 * The operator's own calls are not counted. @throws RATE_LIMIT_HIT
 */
export function countStoredBytes(
  { app, viewer, atDesktop }: { app: App; viewer: User; atDesktop: boolean },
  { content, rendered }: { content: string; rendered: Rendered },
): void {
  if (!atDesktop) app.storedBytes.countBytes(viewer.id, Buffer.byteLength(content) + Buffer.byteLength(rendered.html));
}

/** Counts what a program remembers: for a bot's owner, who may have any number of bots. @throws RATE_LIMIT_HIT */
export function countRememberedBytes(
  { app, viewer, atDesktop }: { app: App; viewer: User; atDesktop: boolean },
  entries: Readonly<Record<string, string>>,
): void {
  if (!atDesktop)
    app.storedBytes.countBytes(viewer.bot_owner_id ?? viewer.id, Buffer.byteLength(JSON.stringify(entries)));
}
