import { Parser } from "htmlparser2";
import type { Text } from "../../server/imports/model.ts";
import { html } from "../markdown/examples.ts";

/** Text with JSON instead of references. */
export const written = (text: Text): string =>
  text.map((part) => (typeof part === "string" ? part : `‹${JSON.stringify(part).replace(/[*`]/g, "")}›`)).join("");

const BLOCK = /^(?:p|br|li|h\d|tr|td|th|pre|div|blockquote|hr)$/;

/** The rendered text with list markers, and single spaces between words and blocks. */
export function visibleText(markdown: string): string {
  let seen = "";
  /** The next number of each list that is open. Undefined for bullets. */
  const lists: (number | undefined)[] = [];
  const parser = new Parser({
    ontext: (data) => {
      seen += data;
    },
    onopentag: (name, { start }) => {
      if (BLOCK.test(name)) seen += " ";
      if (name === "ul" || name === "ol") lists.push(name === "ul" ? undefined : Number(start ?? 1));
      if (name !== "li") return;
      const number = lists.pop();
      seen += number === undefined ? "• " : `${number}. `;
      lists.push(number === undefined ? undefined : number + 1);
    },
    onclosetag: (name) => {
      if (name === "ul" || name === "ol") lists.pop();
    },
  });
  parser.end(html(markdown, { linkifiers: undefined as never }));
  return oneSpace(seen);
}

/** The text with single spaces, without the invisible characters between marks. */
export const oneSpace = (text: string): string => text.replaceAll("\u2060", "").replace(/\s+/g, " ").trim();

export const withoutSpaces = (text: string): string => text.replace(/[\s\u2060]/g, "");

/** The rendered text of an imported text. */
export const visible = (text: Text): string => visibleText(written(text));
