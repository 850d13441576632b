import { IS_TOUCHED } from "./touch.ts";

// Browsers forget the focus with the element that had it: a dialog that is closed, a button that its own click removes, a
// row that is deleted. Whoever has no pointer would begin again at the top of the page. It goes to what stands in the
// element's place, or to its neighbour, or to what it was a part of; after a dialog or a menu, back to what opened it.

const FOCUSABLE = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]";
const OVERLAYS = "[role=dialog], [role=menu]";
/** Of these, another is as good. */
const ROWS = "li, tr, [data-message-id]";
const TYPED_IN = "input, textarea";

/** The focused element and what it is a part of, from within. */
let path: readonly Element[] = [];
/** The same, of what had the focus outside of dialogs and menus. */
let beneath: readonly Element[] = [];

/** What has the focus, or had it before a dialog or menu that is open. */
export const focusBeneath = (): HTMLElement | undefined => beneath[0] as HTMLElement | undefined;

/** What stood beside elements of the paths that were removed. */
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
      // A click beside everything takes the focus away on purpose.
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
    if (isLost()) setTimeout(restore); // a page that opens may give it to something else
  }).observe(document.body, { childList: true, subtree: true });
}

const isLost = (): boolean => document.activeElement === document.body || document.activeElement === null;

function restore(): void {
  if (!isLost()) return;
  const next = successor(path) ?? (document.querySelector(OVERLAYS) ? undefined : successor(beneath));
  // A phone's keyboard comes only where somebody asked to write.
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

/** In a row, or in what is there in its place, or in the nearest row that has something. */
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
