import { isInCode } from "./code.ts";
import { markdownOfHtml } from "./markdown-of-html.ts";

/** The pasted files. Office programs add a picture of the copied text, which does not count. */
export function pastedFiles(data: DataTransfer): File[] {
  const isText = data.types.includes("text/html") && data.getData("text/plain").trim() !== "";
  return isText ? [] : [...data.files];
}

export interface Field {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The text to insert instead of the plain text; undefined if the plain text is right. */
export function pastedText(data: DataTransfer, { text, start, end }: Field): string | undefined {
  if (isInCode(text, start)) return undefined;
  const plain = data.getData("text/plain").trim();
  const selected = text.slice(start, end);
  if (/^https?:\/\/\S+$/.test(plain) && selected.trim() !== "" && !/[\n[\]]|https?:/.test(selected))
    return `[${selected}](${plain})`;
  const html = data.getData("text/html");
  // A URL that was copied in a browser comes with HTML that links to it.
  return html === "" || /^https?:\/\/\S+$/.test(plain) ? undefined : markdownOfHtml(html);
}
