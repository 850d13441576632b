import { copyText } from "../../parts/copy-text.ts";
import { showEmoji } from "../../parts/emoji-characters.ts";
import { exactTime, timeOrDay } from "../../parts/format.ts";

/** Mentions that open the card of a person or user group. */
export const MENTIONS = ".user-mention[data-user-id]:not([data-user-id='*']), .user-group-mention[data-user-group-id]";
const COPY_BUTTON = "button[data-copies-code]";

/** Adds what the HTML leaves to clients: emoji as characters, local times, and spoilers that open by keyboard. */
export function complete(root: HTMLElement): void {
  showEmoji(root);
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
