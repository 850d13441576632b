import { Store } from "../../api/store.ts";

const KEY = "hearth-quiet-until";

function stored(): number {
  try {
    return Number(localStorage.getItem(KEY) ?? 0);
  } catch {
    return 0; // storage may be forbidden
  }
}

/** Until when this browser neither shows nor plays anything, in milliseconds since the epoch; shared by its tabs. */
export const quietUntil = new Store(stored());
window.addEventListener("storage", ({ key }) => key === KEY && quietUntil.set(stored()));

export function beQuietUntil(at: number): void {
  quietUntil.set(at);
  try {
    localStorage.setItem(KEY, String(at));
  } catch {} // it holds until the page is closed
}
