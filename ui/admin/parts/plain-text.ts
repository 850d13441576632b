/** The text of rendered Markdown, for where it is one of many in a list: emoji as characters, and no formatting. */
export function plainText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const emoji of body.querySelectorAll(".emoji")) {
    const [, code] = /(?:^| )emoji-([0-9a-f-]+)/.exec(emoji.className) ?? [];
    const parts = code?.split("-").map((part) => String.fromCodePoint(Number.parseInt(part, 16)));
    emoji.replaceWith(parts?.join("") ?? emoji.getAttribute("alt") ?? "");
  }
  // Of a formula, which is there twice, its source.
  for (const formula of body.querySelectorAll(".katex"))
    formula.replaceWith(formula.querySelector("annotation")?.textContent ?? "");
  return body.textContent?.trim() ?? "";
}
