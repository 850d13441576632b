import { plainTextHtml, type Rendered, renderMarkdown } from "../../markdown/render.ts";
import type { Reader } from "../../storage/transaction.ts";
import type { Destination } from "../access/destinations.ts";
import { compiledLinkifiers } from "../access/linkifiers.ts";
import { assertMayMention, renderContext } from "../access/mentions.ts";
import { mediaToShow } from "../access/pictures.ts";
import type { User } from "../queries/users.ts";

/**
 * A message's text as HTML, with the people whom it mentions. Call it in the transaction that stores the text. What it
 * links to is shown in it only if `showsMedia`, since placeholders are exchanged in sent messages alone.
 * Errors: BAD_REQUEST for a mention that the sender may not make there.
 */
export function renderMessage(
  reader: Reader,
  sender: User,
  {
    to,
    content,
    baseUrl,
    showsMedia = true,
  }: { to: Destination; content: string; baseUrl?: string | undefined; showsMedia?: boolean },
): Rendered {
  const rendered = renderMarkdown(content, {
    ...renderContext(reader, sender, { to, baseUrl }),
    ...(showsMedia && { upload: (path) => mediaToShow(reader, sender, path) }),
  });
  assertMayMention(reader, sender, to, rendered.mentions);
  return rendered;
}

/** A channel's description as HTML. It has no sender, so it mentions nobody. */
export function renderDescription(reader: Reader, description: string): string {
  if (description === "") return "";
  const { html } = renderMarkdown(description, { linkifiers: compiledLinkifiers(reader) });
  return html.length > MAX_HTML.floor + MAX_HTML.perUnit * description.length ? plainTextHtml(description) : html;
}

/** As for messages, but everybody's /register holds every description. */
const MAX_HTML = { floor: 4000, perUnit: 4 };
