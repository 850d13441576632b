/** A link to an uploaded picture in what is written. */
export interface AttachedPicture {
  readonly name: string;
  readonly address: string;
  /** Where its link begins in the text, and where it ends with its line break. */
  readonly start: number;
  readonly end: number;
}

/** Of the formats that browsers show, as the server names uploads (docs/protocol.md#inline-pictures). */
const PICTURE_LINK = /\[([^\]\n]*)\]\((\/user_uploads\/\d+\/[^\s()]+\.(?:png|jpe?g|gif|webp|avif|bmp))\)\n?/gi;

/** The uploaded pictures that a text links to, in the order of the text, each once. */
export function attachedPictures(text: string): AttachedPicture[] {
  const found = new Map<string, AttachedPicture>();
  for (const match of text.matchAll(PICTURE_LINK)) {
    const [link, name = "", address = ""] = match;
    if (!found.has(address)) found.set(address, { name, address, start: match.index, end: match.index + link.length });
  }
  return [...found.values()];
}
