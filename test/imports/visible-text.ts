import { Parser } from "htmlparser2";
import { type Block, toText } from "../../server/imports/document.ts";
import type { Text } from "../../server/imports/model.ts";
import { html } from "../markdown/examples.ts";

/** Text with names in place of references, as an import without matches would write it. */
export const written = (text: Text): string =>
  text.map((part) => (typeof part === "string" ? part : `‹${JSON.stringify(part).replace(/[*`]/g, "")}›`)).join("");

/** The text that readers see, with single spaces. Blocks and lines are apart. */
export function visibleText(markdown: string): string {
  let seen = "";
  const parser = new Parser({
    ontext: (data) => {
      seen += data;
    },
    onopentagname: (name) => {
      if (/^(?:p|br|li|h\d|tr|td|th|pre|div|blockquote|hr)$/.test(name)) seen += " ";
    },
  });
  parser.end(html(markdown, { linkifiers: undefined as never }));
  return oneSpace(seen);
}

export const oneSpace = (text: string): string => text.replace(/\s+/g, " ").trim();

export const shown = (blocks: readonly Block[]): string => visibleText(written(toText(blocks)));
