import { continuation, type Format } from "./formatting.ts";

const FORMAT_KEYS: Readonly<Partial<Record<string, Format>>> = { b: "bold", i: "italic", "Shift+l": "link" };

export type ComposerAction = { readonly format: Format } | "preview" | "editLast" | "leave" | "send";

type Key = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** Whether an input method handles the key. Safari ends the composition before the keydown of its Enter. */
export const isComposing = ({ isComposing, keyCode }: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean =>
  isComposing || keyCode === 229;

/** The action of a key in the composer; undefined if the browser handles it. */
export function composerAction(
  { key, shiftKey, ctrlKey, metaKey, altKey }: Key,
  { text, sendsOnEnter }: { text: string; sendsOnEnter: boolean },
): ComposerAction | undefined {
  const isControl = ctrlKey || metaKey;
  const format = FORMAT_KEYS[`${shiftKey ? "Shift+" : ""}${key.toLowerCase()}`];
  if (isControl && format) return { format };
  if (altKey && key.toLowerCase() === "p") return "preview";
  if (key === "ArrowUp" && text === "") return "editLast";
  if (key === "Escape") return "leave";
  if (key === "Enter" && (sendsOnEnter ? !shiftKey : isControl)) return "send";
  return undefined;
}

/** On Enter in a list or quotation, continues it in the next line. Returns whether it handled the key. */
export function continueLine(
  { key, ctrlKey, metaKey, altKey }: Omit<Key, "shiftKey">,
  field: HTMLTextAreaElement,
): boolean {
  if (key !== "Enter" || ctrlKey || metaKey || altKey) return false;
  const { value: text, selectionStart: start, selectionEnd: end } = field;
  const replacement = continuation({ text, start, end });
  if (!replacement) return false;
  field.setSelectionRange(replacement.from, replacement.to);
  // Unlike a new value, Ctrl+Z undoes these.
  if (replacement.insert === "") document.execCommand("delete");
  else document.execCommand("insertText", false, replacement.insert);
  return true;
}
