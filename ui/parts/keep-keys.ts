const FIELD = "input:not([type]), input[type=text], input[type=search], textarea";
/** After this time without a dialog, the text goes to the element that has the focus. */
const PATIENCE_MS = 3_000;

/**
 * Keeps keys until an element in a dialog, or in an element with `data-keeps-keys`, gets the focus, or until the returned
 * function is called.
 */
export function keepKeys(onEscape: () => void): () => void {
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
    const { value, selectionStart, selectionEnd } = field as HTMLInputElement;
    if (text !== "") {
      if (selectionStart === selectionEnd) (field as HTMLInputElement).setSelectionRange(value.length, value.length);
      document.execCommand("insertText", false, text);
    }
    enterIn(field, entered);
    text = "";
    entered = 0;
  };
  const onFocus = ({ target }: FocusEvent) => {
    const focused = target as Element;
    const dialog = focused.closest("[role=dialog], [data-keeps-keys]");
    // A dialog may get the focus before its field does.
    if (dialog && (focused.matches(`${FIELD}, [data-autofocus]`) || !dialog.querySelector("[data-autofocus]")))
      setTimeout(() => typeInto(focused)); // the form may select its text first
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
    const press = new KeyboardEvent("keydown", { key: "Enter", code: "Enter", bubbles: true, cancelable: true });
    // The browser submits a form only for real keys.
    if (field.dispatchEvent(press)) (field as HTMLInputElement).form?.requestSubmit();
    enterIn(field, times - 1);
  });
}
