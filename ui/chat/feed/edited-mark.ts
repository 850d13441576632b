const MARK = "[data-edited]";

/** Says at the end of a message's text that it was edited, in its last line where it ends with one; "" for nothing. */
export function markEdited(root: HTMLElement, label: string, title: string): void {
  root.querySelector(MARK)?.remove();
  if (label === "") return;
  const mark = document.createElement("span");
  mark.dataset["edited"] = "";
  mark.textContent = label;
  mark.title = title;
  const last = root.lastElementChild;
  if (last?.tagName === "P") last.append(" ", mark);
  else root.append(mark);
}
