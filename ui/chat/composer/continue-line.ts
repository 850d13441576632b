import { continuation } from "./formatting.ts";

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/**
 * On Enter in a list or a quotation, goes on with it in the next line, as if it was typed; false where the key is the
 * browser's.
 */
export function continueLine({ key, ctrlKey, metaKey, altKey }: Key, field: HTMLTextAreaElement): boolean {
  if (key !== "Enter" || ctrlKey || metaKey || altKey) return false;
  const { value: text, selectionStart: start, selectionEnd: end } = field;
  const replacement = continuation({ text, start, end });
  if (!replacement) return false;
  field.setSelectionRange(replacement.from, replacement.to);
  // Unlike a new value, these can be undone with Ctrl+Z.
  if (replacement.insert === "") document.execCommand("delete");
  else document.execCommand("insertText", false, replacement.insert);
  return true;
}
