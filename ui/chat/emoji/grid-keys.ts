export const emojiButtons = (root: Element | null): HTMLElement[] => [
  ...(root?.querySelectorAll<HTMLElement>("[data-emoji]") ?? []),
];

/** The emoji that an arrow key, Home or End moves to. */
export function buttonTowards(root: Element | null, from: Element, key: string): HTMLElement | undefined {
  const all = emojiButtons(root);
  const index = all.indexOf(from as HTMLElement);
  if (index < 0) return undefined;
  const step = getComputedStyle(from).direction === "rtl" ? -1 : 1;
  if (key === "ArrowRight") return all[index + step];
  if (key === "ArrowLeft") return all[index - step];
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  if (key === "ArrowDown") return nearestInNextRow(all.slice(index + 1), from);
  if (key === "ArrowUp") return nearestInNextRow(all.slice(0, index).reverse(), from);
  return undefined;
}

/** Groups end with incomplete rows, so this compares positions on the screen. */
function nearestInNextRow(following: readonly HTMLElement[], from: Element): HTMLElement | undefined {
  const { left, top } = from.getBoundingClientRect();
  let nearest: { button: HTMLElement; top: number; distance: number } | undefined;
  for (const button of following) {
    const box = button.getBoundingClientRect();
    if (Math.abs(box.top - top) < box.height / 2) continue; // the same row
    if (nearest && Math.abs(box.top - nearest.top) > box.height / 2) break; // the row after the next
    const distance = Math.abs(box.left - left);
    if (!nearest || distance < nearest.distance) nearest = { button, top: box.top, distance };
  }
  return nearest?.button;
}
