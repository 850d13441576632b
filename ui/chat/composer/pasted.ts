import { markdownOfHtml } from "./markdown-of-html.ts";

/** The pasted files. Office programs add a picture of the text that was copied: then it is the text that is meant. */
export function pastedFiles(data: DataTransfer): File[] {
  const isText = data.types.includes("text/html") && data.getData("text/plain").trim() !== "";
  return isText ? [] : [...data.files];
}

export interface Field {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What goes into the field in place of the plain text; undefined where that is just what is wanted. */
export function pastedText(data: DataTransfer, { text, start, end }: Field): string | undefined {
  if (isInCode(text.slice(0, start))) return undefined;
  const plain = data.getData("text/plain").trim();
  const selected = text.slice(start, end);
  if (/^https?:\/\/\S+$/.test(plain) && selected.trim() !== "" && !/[\n[\]]|https?:/.test(selected))
    return `[${selected}](${plain})`;
  const html = data.getData("text/html");
  // An address that a browser copied brings a link of the same words.
  return html === "" || /^https?:\/\/\S+$/.test(plain) ? undefined : markdownOfHtml(html);
}

/** Whether a text ends inside a block of code. */
const isInCode = (before: string): boolean => (before.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
