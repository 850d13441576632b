import { Store, useStore } from "../../api/store.ts";

const KEY = "hearth-panel";

/** Where there is room for the column beside the conversation (ChatPage.module.css); else it covers that. */
export const BESIDE = "(min-width: 70em)";
export const isBeside = (): boolean => window.matchMedia(BESIDE).matches;

/** Where the column would cover the conversation, it begins closed. */
function stored(): boolean {
  try {
    return isBeside() && localStorage.getItem(KEY) === "open";
  } catch {
    return false; // storage may be forbidden
  }
}

const isOpen = new Store(stored());

export const PANEL_SECTIONS = ["people", "files", "search"] as const;
export type PanelSection = (typeof PANEL_SECTIONS)[number];

/** What the column shows, and what is searched for in it: both stay while one goes from one conversation to another. */
export const panelSection = new Store<PanelSection>("people");
export const panelSearch = new Store({ text: "", isHere: false });

/** Whether the column beside the conversation is open in this browser, and how to change that. */
export function usePanel(): [boolean, (open: boolean) => void] {
  const change = (open: boolean) => {
    isOpen.set(open);
    try {
      localStorage.setItem(KEY, open ? "open" : "closed");
    } catch {} // it holds until the page is closed
  };
  return [useStore(isOpen, (open) => open), change];
}
