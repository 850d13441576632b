import type { Format } from "./formatting.ts";

const FORMAT_KEYS: Readonly<Partial<Record<string, Format>>> = { b: "bold", i: "italic", "Shift+l": "link" };

export type ComposerAction = { readonly format: Format } | "preview" | "editLast" | "leave" | "send";

type Key = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** Whether a key belongs to an input method: Safari ends the composition before it reports the Enter that did so. */
export const isComposing = ({ isComposing, keyCode }: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean =>
  isComposing || keyCode === 229;

/** What a key means in the field that one writes in; undefined where it is the browser's. */
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
