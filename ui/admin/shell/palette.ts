import { Store } from "../../api/store.ts";
import { IS_MAC } from "../../parts/is-mac.ts";

export const isPaletteOpen = new Store(false);

export const openPalette = (): void => isPaletteOpen.set(true);
export const closePalette = (): void => isPaletteOpen.set(false);

/** The keys that open the palette, as this system writes them. */
export const PALETTE_KEYS = IS_MAC ? "⌘K" : "Ctrl K";
