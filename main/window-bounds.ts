import type { WindowBounds } from "./app-settings.ts";

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const LEAST = { width: 720, height: 520 };
const USUAL = { width: 1120, height: 760 };

/**
 * Where to open the window: where it was, made to fit a screen that is still there. `screens` are their work areas,
 * the main one first. Without x and y the system centres it.
 */
export function boundsFor(remembered: WindowBounds | null, screens: readonly Area[]): Partial<Area> {
  const main = screens[0];
  if (!main) return USUAL;
  if (!remembered) return { width: Math.min(USUAL.width, main.width), height: Math.min(USUAL.height, main.height) };
  const screen = screens.reduce((best, one) => (overlap(one, remembered) > overlap(best, remembered) ? one : best));
  const width = within(remembered.width, Math.min(LEAST.width, screen.width), screen.width);
  const height = within(remembered.height, Math.min(LEAST.height, screen.height), screen.height);
  // On none of the screens: the one that it was on is gone.
  if (overlap(screen, remembered) === 0) return { width, height };
  return {
    x: within(remembered.x, screen.x, screen.x + screen.width - width),
    y: within(remembered.y, screen.y, screen.y + screen.height - height),
    width,
    height,
  };
}

const within = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most));

function overlap(one: Area, other: Area): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}
