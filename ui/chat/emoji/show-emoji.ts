import { characterOf } from "./emoji.ts";

/** Puts characters in place of the names that a message's HTML has for emoji. */
export function showEmoji(root: ParentNode): void {
  for (const emoji of root.querySelectorAll("span.emoji")) {
    const [, code] = /(?:^| )emoji-([0-9a-f-]+)/.exec(emoji.className) ?? [];
    if (code) emoji.textContent = characterOf(code);
  }
}
