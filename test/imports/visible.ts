import type { Reference, Text } from "../../server/imports/model.ts";
import { unescapeHtml } from "../../server/markdown/plain.ts";
import { html } from "../markdown/examples.ts";

/** Invisible characters and spaces: texts that differ in them only look the same. */
export const withoutSpaces = (text: string): string => text.replace(/[\s\u2060]/g, "");

/** The visible text of HTML, with the marks of lists, without spaces. */
export function visibleIn(rendered: string): string {
  const lists: (number | undefined)[] = [];
  const text = rendered.replace(/<(\/?)(\w+)([^>]*)>/g, (_, end: string, tag: string, attributes: string) => {
    if (tag === "ol" || tag === "ul") {
      if (end) lists.pop();
      else lists.push(tag === "ul" ? undefined : Number(/start="(\d+)"/.exec(attributes)?.[1] ?? 1));
    }
    if (tag !== "li" || end) return "";
    const number = lists.at(-1);
    if (number !== undefined) lists[lists.length - 1] = number + 1;
    return number === undefined ? "•" : `${number}.`;
  });
  return withoutSpaces(unescapeHtml(text));
}

const named = (reference: Reference): string =>
  "person" in reference ? "@**King Lear**" : "everyone" in reference ? "@**all**" : "#**announce**";

/** Markdown with references to the example organization's things. */
export const written = (text: Text): string =>
  text.map((part) => (typeof part === "string" ? part : named(part))).join("");

/** The visible text of an imported text. */
export const visible = (text: Text): string => visibleIn(html(written(text)));
