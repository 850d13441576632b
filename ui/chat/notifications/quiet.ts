import { Store } from "../../api/store.ts";

const KEY = "hearth-quiet-until";

function stored(): number {
  try {
    return Number(localStorage.getItem(KEY) ?? 0);
  } catch {
    return 0; // storage can be blocked
  }
}

/** The end of "do not disturb" in this browser, in milliseconds since the epoch. Its tabs share it. */
export const quietUntil = new Store(stored());
window.addEventListener("storage", ({ key }) => key === KEY && quietUntil.set(stored()));

export function beQuietUntil(at: number): void {
  quietUntil.set(at);
  try {
    localStorage.setItem(KEY, String(at));
  } catch {} // applies until the page is closed
}
