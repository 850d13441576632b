import { Store, useStore } from "../../api/store.ts";

const KEY = "hearth-panel";

/** Where the column would cover the conversation (ChatPage.module.css), it begins closed. */
function stored(): boolean {
  try {
    return window.matchMedia("(min-width: 70em)").matches && localStorage.getItem(KEY) === "open";
  } catch {
    return false; // storage may be forbidden
  }
}

const isOpen = new Store(stored());

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
