// The selected message has the focus, so a screen reader reads it and its tools are visible.

export const SCROLLER_ID = "feed";
/** Links around pictures in messages (docs/protocol.md#message-html). */
export const PICTURE_LINKS = ".message_inline_image:not(.message_inline_video) > a";
const ROW = "[data-message-id]";

const scroller = (): HTMLElement | undefined => document.getElementById(SCROLLER_ID) ?? undefined;
const rowsIn = (box: HTMLElement): HTMLElement[] => [...box.querySelectorAll<HTMLElement>(ROW)];
const focusedRow = (): HTMLElement | undefined => document.activeElement?.closest<HTMLElement>(ROW) ?? undefined;

/** The lowest message that is completely visible, or else the lowest that is partly visible. */
export function lastVisibleRow(box: HTMLElement): HTMLElement | undefined {
  const { top, bottom } = box.getBoundingClientRect();
  const shown = rowsIn(box)
    .map((row) => ({ row, rect: row.getBoundingClientRect() }))
    .filter(({ rect }) => rect.bottom > top && rect.top < bottom);
  return (shown.findLast(({ rect }) => rect.top >= top - 1 && rect.bottom <= bottom + 1) ?? shown.at(-1))?.row;
}

/** The id of the first visible message below the heading that contains `element`. */
export function messageIdBelow(element: HTMLElement): number | undefined {
  const heading = element.closest("p");
  const edge = heading?.getBoundingClientRect().bottom ?? 0;
  const rows = heading?.parentElement ? rowsIn(heading.parentElement) : [];
  const row = rows.find((candidate) => candidate.getBoundingClientRect().bottom > edge + 1);
  return row && Number(row.dataset["messageId"]);
}

/** The id of the selected message, or else of the lowest visible one. */
export function selectedMessageId(): number | undefined {
  const box = scroller();
  const row = focusedRow() ?? (box && lastVisibleRow(box));
  return row && Number(row.dataset["messageId"]);
}

/** Selects the next or previous message. If none is selected, it selects the lowest visible one. */
export function selectNeighbour(step: 1 | -1): void {
  const box = scroller();
  if (!box) return;
  const current = focusedRow();
  const rows = rowsIn(box);
  const row = current ? rows[rows.indexOf(current) + step] : lastVisibleRow(box);
  if (row) select(row);
  else box.scrollBy({ top: step * box.clientHeight }); // loads more messages
}

/** Moves the focus through the links of a list such as the inbox. */
export function focusNeighbourLink(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>("#conversation li a")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = links[at < 0 ? 0 : at + step];
  next?.focus();
}

export function selectEnd(end: "first" | "last"): void {
  const box = scroller();
  if (!box) return;
  box.scrollTop = end === "first" ? 0 : box.scrollHeight;
  const row = rowsIn(box).at(end === "first" ? 0 : -1);
  if (row) select(row);
}

export function scrollByPages(pages: number): void {
  const box = scroller();
  if (!box) return;
  box.scrollBy({ top: pages * 0.85 * box.clientHeight });
  if (document.activeElement?.closest(ROW)) lastVisibleRow(box)?.focus({ preventScroll: true });
}

/** Moves the focus to a message, or else to the lowest visible one. */
export function focusMessages(id?: number): void {
  const box = scroller();
  const row = box?.querySelector<HTMLElement>(`[data-message-id="${id}"]`);
  if (box) (row ?? lastVisibleRow(box) ?? box).focus({ preventScroll: true });
}

function select(row: HTMLElement): void {
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

/** The URL of the first picture in a message or below it. */
export function firstPicture(messageId: number): string | undefined {
  const rows = rowsIn(scroller() ?? document.body);
  const from = rows.findIndex((row) => Number(row.dataset["messageId"]) === messageId);
  const links = rows.slice(from).map((row) => row.querySelector(PICTURE_LINKS));
  return links.find((link) => link !== null)?.getAttribute("href") ?? undefined;
}
