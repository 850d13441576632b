import { useEffect, useRef } from "react";
import { useChat } from "../chat-context.ts";
import type { OpenCard } from "../people/open-card.ts";

const FIELD = "input:not([type]), input[type=text], input[type=search], textarea";
/** A dialog that is loaded first comes within this time; else what was typed goes to where it was typed. */
const PATIENCE_MS = 3_000;

export interface CardState {
  /** The card or dialog about people or a channel that is open. */
  card: OpenCard | undefined;
  closeCard(): void;
}

/**
 * Keeps what is typed between a dialog's opening and the moment in which it has the focus: for its field, instead of for
 * the shortcuts of the page beneath, or for the message that was being written there.
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

  const close = useRef(closeCard);
  close.current = closeCard;
  const kind = card?.kind;
  useEffect(() => (kind === undefined ? undefined : keepKeys(() => close.current())), [kind]);
}

/** Keeps keys until something in a dialog gets the focus. Returns what ends that. */
function keepKeys(onEscape: () => void): () => void {
  let text = "";
  /** How often Enter was pressed, behind the text. */
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
    // A dialog may have the focus itself before it gives it to its field.
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

/** Presses Enter: each time once what the text or the one before has led to is drawn. */
function enterIn(field: Element, times: number): void {
  if (times === 0) return;
  setTimeout(() => {
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    enterIn(field, times - 1);
  });
}
