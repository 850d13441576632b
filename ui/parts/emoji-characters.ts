/** Asks for the coloured form of a character that is text by itself, such as ❤. Codes lack it. */
const COLOURED = "\ufe0f";
const isText = (character: string) => /\p{Emoji}/u.test(character) && !/\p{Emoji_Presentation}/u.test(character);

/** `1f1e6-1f1e9` as the characters that it stands for. */
export const characterOf = (code: string): string =>
  code
    .split("-")
    .map((part) => String.fromCodePoint(Number.parseInt(part, 16)))
    .map((character) => (isText(character) ? character + COLOURED : character))
    .join("");

/** Puts characters in place of the names that a message's HTML has for emoji. */
export function showEmoji(root: ParentNode): void {
  for (const emoji of root.querySelectorAll("span.emoji")) {
    const [, code] = /(?:^| )emoji-([0-9a-f-]+)/.exec(emoji.className) ?? [];
    if (code) emoji.textContent = characterOf(code);
  }
}
