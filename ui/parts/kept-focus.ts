import { IS_TOUCHED } from "./touch.ts";

// When the focused element is removed, browsers reset the focus to the top of the page. This restores it: to the element
// that replaces it, to its neighbour, or to an ancestor. After a dialog or menu, it returns to what opened it.

const FOCUSABLE = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]";
const OVERLAYS = "[role=dialog], [role=menu]";
/** Elements whose neighbours can take the focus. */
const ROWS = "li, tr, [data-message-id]";
const TYPED_IN = "input, textarea";

/** The focused element and its ancestors. */
let path: readonly Element[] = [];
/** The same for the last focus outside of dialogs and menus. */
let beneath: readonly Element[] = [];

/** The focused element outside of open dialogs and menus. */
export const focusBeneath = (): HTMLElement | undefined => beneath[0] as HTMLElement | undefined;

/** The former siblings of removed elements. */
const neighbours = new Map<Node, readonly (Node | null)[]>();

export function keepFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    path = pathOf(target as Element);
    if (!(target as Element).closest(OVERLAYS)) beneath = path;
    neighbours.clear();
  });
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (relatedTarget) return;
    setTimeout(() => {
      // A click on the background removes the focus on purpose.
      if (!isLost() || !(target as Element).isConnected) return;
      if (path === beneath) beneath = [];
      path = [];
    });
  });
  new MutationObserver((records) => {
    for (const { removedNodes, nextSibling, previousSibling } of records)
      for (const node of removedNodes) {
        const isOfPath = path.includes(node as Element) || beneath.includes(node as Element);
        if (isOfPath) neighbours.set(node, [nextSibling, previousSibling]);
      }
    if (isLost()) setTimeout(restore); // a page that opens may move the focus itself
  }).observe(document.body, { childList: true, subtree: true });
}

const isLost = (): boolean => document.activeElement === document.body || document.activeElement === null;

function restore(): void {
  if (!isLost()) return;
  const next = successor(path) ?? (document.querySelector(OVERLAYS) ? undefined : successor(beneath));
  // On touch devices, a focused field would open the keyboard.
  if (!(IS_TOUCHED && next?.matches(TYPED_IN))) next?.focus({ preventScroll: true });
}

function pathOf(element: Element): Element[] {
  const found: Element[] = [];
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) found.push(one);
  return found;
}

function successor(lost: readonly Element[]): HTMLElement | undefined {
  for (const element of lost) {
    const next = element.isConnected && element.matches(FOCUSABLE) ? element : focusableBeside(element);
    if (next) return next as HTMLElement;
  }
  return undefined;
}

/** A focusable element in the row, its replacement, or the nearest row that has one. */
function focusableBeside(row: Element): Element | undefined {
  if (!row.matches(ROWS)) return undefined;
  const id = row.getAttribute("data-message-id");
  const same = row.isConnected ? row : id && document.querySelector(`[data-message-id="${id}"]`);
  const [after, before] = same ? [same.nextSibling, same.previousSibling] : (neighbours.get(row) ?? []);
  return (
    (same && focusableIn(same)) || firstFocusable(after, "nextSibling") || firstFocusable(before, "previousSibling")
  );
}

function firstFocusable(
  from: Node | null | undefined,
  direction: "nextSibling" | "previousSibling",
): Element | undefined {
  for (let one = from; one?.isConnected; one = one[direction]) {
    const found = one instanceof Element && one.matches(ROWS) ? focusableIn(one) : undefined;
    if (found) return found;
  }
  return undefined;
}

const focusableIn = (row: Element): Element | undefined =>
  row.matches(FOCUSABLE) ? row : (row.querySelector(FOCUSABLE) ?? undefined);
