import type { WindowBounds } from "./app-settings.ts";

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const MIN_SIZE = { width: 720, height: 520 };
const DEFAULT_SIZE = { width: 1120, height: 760 };

/**
 * The bounds of a new window: the remembered ones, fitted to an existing screen. `screens` are the work areas, the
 * main one first. Without x and y the system centres the window.
 */
export function boundsFor(remembered: WindowBounds | null, screens: readonly Area[]): Partial<Area> {
  const main = screens[0];
  if (!main) return DEFAULT_SIZE;
  if (!remembered)
    return { width: Math.min(DEFAULT_SIZE.width, main.width), height: Math.min(DEFAULT_SIZE.height, main.height) };
  const screen = screens.reduce((best, one) => (overlap(one, remembered) > overlap(best, remembered) ? one : best));
  const width = clamp(remembered.width, Math.min(MIN_SIZE.width, screen.width), screen.width);
  const height = clamp(remembered.height, Math.min(MIN_SIZE.height, screen.height), screen.height);
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

function overlap(one: Area, other: Area): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}
