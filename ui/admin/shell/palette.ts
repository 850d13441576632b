import { Store } from "../../api/store.ts";

/** How often the palette has been asked for: it is loaded the first time, and opens each time. */
export const paletteRequests = new Store(0);

export const openPalette = (): void => paletteRequests.update((count) => count + 1);

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys that open the palette, as they are written on this system. */
export const PALETTE_KEYS = isMac ? "⌘K" : "Ctrl K";
