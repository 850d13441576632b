import { Store, useStore } from "../../api/store.ts";

const KEY = "hearth-panel";

/** Wide enough for the panel next to the conversation (ChatPage.module.css). Otherwise it covers the conversation. */
export const BESIDE = "(min-width: 70em)";
export const isBeside = (): boolean => window.matchMedia(BESIDE).matches;

/** A panel that would cover the conversation starts closed. */
function stored(): boolean {
  try {
    return isBeside() && localStorage.getItem(KEY) === "open";
  } catch {
    return false; // storage can be blocked
  }
}

const isOpen = new Store(stored());

export const PANEL_SECTIONS = ["people", "files", "search"] as const;
export type PanelSection = (typeof PANEL_SECTIONS)[number];

/** The section and the search stay when another conversation opens. */
export const panelSection = new Store<PanelSection>("people");
export const panelSearch = new Store({ text: "", isHere: false });

/** Whether the panel is open in this browser, and a function that changes it. */
export function usePanel(): [boolean, (open: boolean) => void] {
  const change = (open: boolean) => {
    isOpen.set(open);
    try {
      localStorage.setItem(KEY, open ? "open" : "closed");
    } catch {} // applies until the page is closed
  };
  return [useStore(isOpen, (open) => open), change];
}
