import { copyText } from "../../parts/copy-text.ts";

const BUTTON = "button[data-copies-code]";

/** Puts a button to copy it into each block of code; the stored HTML has none. */
export function offerCopies(root: HTMLElement, label: string): void {
  for (const block of root.querySelectorAll<HTMLElement>(".codehilite")) {
    const button = block.querySelector<HTMLButtonElement>(BUTTON) ?? document.createElement("button");
    button.type = "button";
    button.dataset["copiesCode"] = "";
    button.ariaLabel = label;
    button.title = label;
    block.append(button);
  }
}

/** Copies what the clicked button stands beside; undefined where nothing was clicked that copies. */
export function copyCode(clicked: Element): Promise<boolean> | undefined {
  const code = clicked.closest(BUTTON)?.closest(".codehilite")?.querySelector("code");
  // The last line break belongs to the fence: pasted into a terminal, it would run what was copied.
  return code ? copyText((code.textContent ?? "").replace(/\n$/, "")) : undefined;
}
