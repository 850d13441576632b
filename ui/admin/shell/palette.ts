import { createSpotlight, type SpotlightStore } from "@mantine/spotlight";

const [store, actions] = createSpotlight();

export const paletteStore: SpotlightStore = store;

export const openPalette = (): void => actions.open();
export const closePalette = (): void => actions.close();

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys that open the palette, as they are written on this system. */
export const PALETTE_KEYS = isMac ? "⌘K" : "Ctrl K";
