/** A link to an uploaded picture in a text. */
export interface AttachedPicture {
  readonly name: string;
  readonly address: string;
  /** The range of the link in the text, with its line break. */
  readonly start: number;
  readonly end: number;
}

/** Formats that browsers show, with the server's upload URLs (docs/protocol.md#inline-pictures). */
const PICTURE_LINK = /\[([^\]\n]*)\]\((\/user_uploads\/\d+\/[^\s()]+\.(?:png|jpe?g|gif|webp|avif|bmp))\)\n?/gi;

/** The uploaded pictures that a text links to, without duplicates. */
export function attachedPictures(text: string): AttachedPicture[] {
  const found = new Map<string, AttachedPicture>();
  for (const match of text.matchAll(PICTURE_LINK)) {
    const [link, name = "", address = ""] = match;
    if (!found.has(address)) found.set(address, { name, address, start: match.index, end: match.index + link.length });
  }
  return [...found.values()];
}
