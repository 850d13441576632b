import type { WindowBounds } from "./app-settings.ts";

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const MIN_SIZE = { width: 720, height: 520 };
/** The chat has a layout for phones. */
export const CHAT_MIN_SIZE = { width: 360, height: 480 };
const DEFAULT_SIZE = { width: 1120, height: 760 };

/**
 * Fits the remembered bounds to an existing screen. `screens` are work areas, the main screen first. Without x and y the
 * system centers the window.
 */
export function boundsFor(
  remembered: WindowBounds | null,
  screens: readonly Area[],
  minSize = MIN_SIZE,
): Partial<Area> {
  const main = screens[0];
  if (!main) return DEFAULT_SIZE;
  if (!remembered)
    return { width: Math.min(DEFAULT_SIZE.width, main.width), height: Math.min(DEFAULT_SIZE.height, main.height) };
  const screen = screens.reduce((best, area) => (overlap(area, remembered) > overlap(best, remembered) ? area : best));
  const width = clamp(remembered.width, Math.min(minSize.width, screen.width), screen.width);
  const height = clamp(remembered.height, Math.min(minSize.height, screen.height), screen.height);
  // Not on any screen: its screen was disconnected.
  if (overlap(screen, remembered) === 0) return { width, height };
  return {
    x: clamp(remembered.x, screen.x, screen.x + screen.width - width),
    y: clamp(remembered.y, screen.y, screen.y + screen.height - height),
    width,
    height,
  };
}

const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(value, max));

function overlap(area: Area, other: Area): number {
  const width = Math.min(area.x + area.width, other.x + other.width) - Math.max(area.x, other.x);
  const height = Math.min(area.y + area.height, other.y + other.height) - Math.max(area.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}
