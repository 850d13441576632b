import { useEffect, useEffectEvent } from "react";
import { useChat } from "../chat-context.ts";
import type { OpenCard } from "../people/open-card.ts";

const FIELD = "input:not([type]), input[type=text], input[type=search], textarea";
/** After this time without a dialog, the text goes to the element that has the focus. */
const PATIENCE_MS = 3_000;

export interface CardState {
  /** The open card or dialog about a person, group or channel. */
  card: OpenCard | undefined;
  closeCard(): void;
}

/**
 * Buffers keys pressed between opening a dialog and its getting the focus. They go to the dialog's field, not to page
 * shortcuts or the composer.
 */
export function useEarlyKeys({ card, closeCard }: CardState): void {
  const { page } = useChat();
  useEffect(() => {
    const openNow = () => page.value.dialog ?? page.value.picking;
    const close = () => page.update((before) => ({ ...before, dialog: undefined, picking: undefined }));
    let open = openNow();
    let stop: (() => void) | undefined;
    const unsubscribe = page.subscribe(() => {
      if (openNow() === open) return;
      const wasOpen = open !== undefined;
      open = openNow();
      stop?.();
      stop = open !== undefined && !wasOpen ? keepKeys(close) : undefined;
    });
    return () => {
      unsubscribe();
      stop?.();
    };
  }, [page]);

  const close = useEffectEvent(closeCard);
  const kind = card?.kind;
  useEffect(() => (kind === undefined ? undefined : keepKeys(() => close())), [kind]);
}

/** Keeps keys until an element in a dialog gets the focus, or until the returned function is called. */
function keepKeys(onEscape: () => void): () => void {
  let text = "";
  /** Counts Enter after the text. */
  let entered = 0;
  const stop = () => {
    clearTimeout(timer);
    window.removeEventListener("keydown", onKeyDown, { capture: true });
    document.removeEventListener("focusin", onFocus);
    document.removeEventListener("pointerdown", stop);
  };
  const typeInto = (field: Element | null) => {
    stop();
    if (!field?.matches(FIELD)) return;
    const { length } = (field as HTMLInputElement).value;
    if (text !== "") {
      (field as HTMLInputElement).setSelectionRange(length, length);
      document.execCommand("insertText", false, text);
    }
    enterIn(field, entered);
  };
  const onFocus = ({ target }: FocusEvent) => {
    const focused = target as Element;
    const dialog = focused.closest("[role=dialog]");
    // A dialog may get the focus before its field does.
    if (dialog && (focused.matches(`${FIELD}, [data-autofocus]`) || !dialog.querySelector("[data-autofocus]")))
      typeInto(focused);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      stop();
      if (document.querySelector("[role=dialog]")) return;
      onEscape();
    } else if (event.key === "Enter") entered += event.repeat ? 0 : 1;
    else if (event.key === "Backspace") text = text.slice(0, -1);
    else if (event.key.length === 1 && entered === 0) text += event.key;
    else if (event.key.length > 1) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const timer = setTimeout(() => typeInto(document.activeElement), PATIENCE_MS);
  window.addEventListener("keydown", onKeyDown, { capture: true });
  document.addEventListener("focusin", onFocus);
  document.addEventListener("pointerdown", stop);
  return stop;
}

/** Presses Enter. Each press waits until the result of the text, or of the press before it, is drawn. */
function enterIn(field: Element, times: number): void {
  if (times === 0) return;
  setTimeout(() => {
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", bubbles: true, cancelable: true }));
    enterIn(field, times - 1);
  });
}
