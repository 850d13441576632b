/** The variation selector for the coloured form of a text character such as ❤. Emoji codes omit it. */
const COLOURED = "\ufe0f";
const isText = (character: string) => /\p{Emoji}/u.test(character) && !/\p{Emoji_Presentation}/u.test(character);

/** The characters of a code such as `1f1e6-1f1e9`. */
export const characterOf = (code: string): string =>
  code
    .split("-")
    .map((part) => String.fromCodePoint(Number.parseInt(part, 16)))
    .map((character) => (isText(character) ? character + COLOURED : character))
    .join("");

/** Replaces emoji names in a message's HTML by characters. */
export function showEmoji(root: ParentNode): void {
  for (const emoji of root.querySelectorAll("span.emoji")) {
    const [, code] = /(?:^| )emoji-([0-9a-f-]+)/.exec(emoji.className) ?? [];
    if (code) emoji.textContent = characterOf(code);
  }
}
