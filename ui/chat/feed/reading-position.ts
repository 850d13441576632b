import { entryKey } from "../../parts/spare-entry.ts";

// The reading position of each history entry, for Back, Forward and reloads.

export interface ReadingPosition {
  /** The first message on the screen and its distance from the top edge. */
  readonly id: number;
  readonly top: number;
  /** Set at the end of the feed: the feed opens at the end if this is still the newest message. */
  readonly newest?: number | undefined;
}

const STORED = "hearth-reading";
const MAX_KEPT = 100;

const positions = new Map<string, ReadingPosition>(stored());

function stored(): [string, ReadingPosition][] {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? "[]") as [string, ReadingPosition][];
  } catch {
    return []; // no storage, or an invalid value
  }
}

window.addEventListener("pagehide", () => {
  try {
    sessionStorage.setItem(STORED, JSON.stringify([...positions]));
  } catch {
    // No storage.
  }
});

/** The position of the current history entry. */
export function readingPosition(): ReadingPosition | undefined {
  const key = entryKey();
  return key === undefined ? undefined : positions.get(key);
}

/** Stores the position, unless the browser is already at another entry: scroll events can precede the page change. */
export function keepReadingPosition(key: string | undefined, position: ReadingPosition): void {
  if (key === undefined || key !== entryKey()) return;
  positions.delete(key); // moves the key to the end of the order
  positions.set(key, position);
  const [oldest] = positions.keys();
  if (positions.size > MAX_KEPT && oldest !== undefined) positions.delete(oldest);
}
