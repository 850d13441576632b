import { entryKey } from "../../parts/spare-entry.ts";

// Where one was reading in each entry of the browser's history: Back and Forward lead there again, and a reload does.

export interface ReadingPosition {
  /** The first message on the screen, and how far below the edge it begins. */
  readonly id: number;
  readonly top: number;
  /** Whoever was at the end goes on there, as long as this is the newest message. */
  readonly newest?: number | undefined;
}

const STORED = "hearth-reading";
/** Of entries further back, one begins where reading stopped. */
const MAX_KEPT = 100;

const positions = new Map<string, ReadingPosition>(stored());

function stored(): [string, ReadingPosition][] {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? "[]") as [string, ReadingPosition][];
  } catch {
    return []; // a browser without storage, or somebody else's value: a reload opens where reading stopped
  }
}

window.addEventListener("pagehide", () => {
  try {
    sessionStorage.setItem(STORED, JSON.stringify([...positions]));
  } catch {
    // a browser without storage
  }
});

/** Where one was reading in the current entry of the history, if one has been here before. */
export function readingPosition(): ReadingPosition | undefined {
  const key = entryKey();
  return key === undefined ? undefined : positions.get(key);
}

/** Keeps it, unless one has gone to another entry: a scroll may come before the page follows. */
export function keepReadingPosition(key: string | undefined, position: ReadingPosition): void {
  if (key === undefined || key !== entryKey()) return;
  positions.delete(key); // the newest are last
  positions.set(key, position);
  const [oldest] = positions.keys();
  if (positions.size > MAX_KEPT && oldest !== undefined) positions.delete(oldest);
}
