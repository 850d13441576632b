import type { Destination } from "../access/destinations.ts";
import { assertMayMention, renderContext } from "../access/mentions.ts";
import { type Rendered, renderMarkdown } from "../markdown/render.ts";
import type { User } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";

/**
 * A message's text as it is shown, with whom it mentions; refuses mentions that the sender may not make there. To be
 * called in the synchronous turn of the change that keeps it, just before BEGIN: what it looked up must still hold.
 */
export function renderMessage(
  reader: Reader,
  sender: User,
  { to, content, baseUrl }: { to: Destination; content: string; baseUrl?: string | undefined },
): Rendered {
  const rendered = renderMarkdown(content, renderContext(reader, sender, { to, baseUrl }));
  assertMayMention(reader, sender, to, rendered.mentions);
  return rendered;
}

/** A channel's description as HTML: nobody in particular is its sender, so it mentions nobody. */
export const renderDescription = (description: string): string =>
  description === "" ? "" : renderMarkdown(description).html;
