import { Store } from "../../api/store.ts";
import { IS_MAC } from "../../parts/is-mac.ts";

/** How often the palette has been asked for: it is loaded the first time, and opens each time. */
export const paletteRequests = new Store(0);

export const openPalette = (): void => paletteRequests.update((count) => count + 1);

/** The keys that open the palette, as they are written on this system. */
export const PALETTE_KEYS = IS_MAC ? "⌘K" : "Ctrl K";
