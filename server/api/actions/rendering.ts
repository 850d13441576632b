import { plainTextHtml, type Rendered, renderMarkdown } from "../../markdown/render.ts";
import type { Reader } from "../../storage/transaction.ts";
import type { Destination } from "../access/destinations.ts";
import { compiledLinkifiers } from "../access/linkifiers.ts";
import { assertMayMention, renderContext } from "../access/mentions.ts";
import { mediaToShow } from "../access/pictures.ts";
import type { User } from "../queries/users.ts";

/**
 * Call it in the transaction that stores the text. `showsMedia`: for messages that are sent now, because only they
 * update their placeholders. Errors: BAD_REQUEST for a mention that is not allowed.
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

/** A description has no sender, so it cannot mention anyone. */
export function renderDescription(reader: Reader, description: string): string {
  if (description === "") return "";
  const { html } = renderMarkdown(description, { linkifiers: compiledLinkifiers(reader) });
  return html.length > MAX_HTML.floor + MAX_HTML.perUnit * description.length ? plainTextHtml(description) : html;
}

/** Smaller than for messages, because each /register contains all descriptions. */
const MAX_HTML = { floor: 4000, perUnit: 4 };
