import { copyText } from "../../parts/copy-text.ts";
import { showEmoji } from "../../parts/emoji-characters.ts";
import { exactTime, timeOrDay } from "../../parts/format.ts";

/** Mentions that open the card of a person or user group. */
export const MENTIONS = ".user-mention[data-user-id]:not([data-user-id='*']), .user-group-mention[data-user-group-id]";
const COPY_BUTTON = "button[data-copies-code]";

/** Blocks with a bar, markers or columns, whose side depends on the direction of their text. */
const SIDED_BLOCKS = "blockquote, ul, ol, table, .spoiler-block";
/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Adds what the HTML leaves to clients: emoji as characters, local times, spoilers that open by keyboard, and the
 * direction of blocks.
 */
export function complete(root: HTMLElement): void {
  showEmoji(root);
  directBlocks(root);
  for (const time of root.querySelectorAll("time")) {
    const at = Date.parse(time.dateTime);
    if (Number.isNaN(at)) continue;
    time.textContent = timeOrDay(at, Date.now());
    time.title = exactTime(at);
  }
  for (const header of root.querySelectorAll<HTMLElement>(".spoiler-header")) {
    header.tabIndex = 0;
    header.role = "button";
    header.ariaExpanded = "false";
  }
  for (const mention of root.querySelectorAll<HTMLElement>(MENTIONS)) {
    mention.tabIndex = 0;
    mention.role = "button";
  }
  for (const image of root.querySelectorAll("img")) {
    image.loading = "lazy";
    if (!image.hasAttribute("alt")) image.alt = image.closest("a")?.title ?? "";
  }
}

/**
 * A block without `dir` has the direction of its container. Browsers ignore texts in elements with `dir` when they
 * determine the direction of a container, so a block that begins its container gets none: both begin with the same text.
 */
function directBlocks(root: HTMLElement): void {
  if (!RIGHT_TO_LEFT.test(root.textContent ?? "")) return;
  const before = document.createRange();
  for (const block of root.querySelectorAll<HTMLElement>(SIDED_BLOCKS)) {
    before.setStart(block.parentElement?.closest("[dir]") ?? root, 0);
    before.setEndBefore(block);
    if (before.toString().trim() !== "") block.dir = "auto";
  }
}

/** Adds a button that copies it to each code block. */
export function addCopyButtons(root: HTMLElement, label: string): void {
  for (const block of root.querySelectorAll<HTMLElement>(".codehilite")) {
    const button = block.querySelector<HTMLButtonElement>(COPY_BUTTON) ?? document.createElement("button");
    button.type = "button";
    button.dataset["copiesCode"] = "";
    button.ariaLabel = label;
    button.title = label;
    block.append(button);
  }
}

/** Copies the code of a clicked copy button; undefined for a click elsewhere. */
export function copyCode(clicked: Element): Promise<boolean> | undefined {
  const code = clicked.closest(COPY_BUTTON)?.closest(".codehilite")?.querySelector("code");
  // The last line break belongs to the fence. In a terminal it would run the pasted code.
  return code ? copyText((code.textContent ?? "").replace(/\n$/, "")) : undefined;
}

/** Adds an "edited" mark to the last line of a message; an empty label removes it. */
export function markEdited(root: HTMLElement, label: string, title: string): void {
  root.querySelector("[data-edited]")?.remove();
  if (label === "") return;
  const mark = document.createElement("span");
  mark.dataset["edited"] = "";
  mark.textContent = label;
  mark.title = title;
  const last = root.lastElementChild;
  if (last?.tagName === "P") last.append(" ", mark);
  else root.append(mark);
}
