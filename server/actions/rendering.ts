import type { Destination } from "../access/destinations.ts";
import { assertMayMention, renderContext } from "../access/mentions.ts";
import { type Rendered, renderMarkdown } from "../markdown/render.ts";
import type { User } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";

/**
 * A message's text as HTML, with the people whom it mentions. Call it in the transaction that stores the text.
 * Errors: BAD_REQUEST for a mention that the sender may not make there.
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

/** A channel's description as HTML. It has no sender, so it mentions nobody. */
export const renderDescription = (description: string): string =>
  description === "" ? "" : renderMarkdown(description).html;
