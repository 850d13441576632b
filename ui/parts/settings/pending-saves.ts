/** Values of one setting that are being saved, oldest first. */
export interface PendingSaves<T> {
  /** The last seen value of the live state. */
  readonly held: T;
  /** A save ends when the live state has its value or the server refuses it. A response can arrive before its event. */
  readonly saves: readonly PendingSave<T>[];
}

interface PendingSave<T> {
  readonly id: number;
  readonly value: T;
  readonly isAnswered: boolean;
}

/** Values of settings are JSON; two objects with the same content are the same value. */
const isSame = <T>(a: T, b: T): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The newest value that is being saved, otherwise the current one. */
export function shownValue<T>({ saves }: PendingSaves<T>, held: T): T {
  const newest = saves.at(-1);
  return newest ? newest.value : held;
}

export const asked = <T>({ held, saves }: PendingSaves<T>, id: number, value: T): PendingSaves<T> => ({
  held,
  saves: [...saves, { id, value, isAnswered: false }],
});

export const refused = <T>({ held, saves }: PendingSaves<T>, id: number): PendingSaves<T> => ({
  held,
  saves: saves.filter((save) => save.id !== id),
});

/** A save that changes nothing has no event, so its response ends it. */
export function answered<T>({ held, saves }: PendingSaves<T>, id: number): PendingSaves<T> {
  const [first] = saves;
  if (saves.length === 1 && first?.id === id && isSame(first.value, held)) return { held, saves: [] };
  return { held, saves: saves.map((save) => (save.id === id ? { ...save, isAnswered: true } : save)) };
}

export function afterHeld<T>(pending: PendingSaves<T>, held: T): PendingSaves<T> {
  if (isSame(pending.held, held)) return pending;
  const { saves } = pending;
  const has = ({ value }: PendingSave<T>) => isSame(value, held);
  const newest = saves.findLastIndex((save) => save.isAnswered && has(save));
  const last = newest >= 0 ? newest : saves.findIndex(has);
  // Another person saved a value that none of these saves has.
  return { held, saves: last >= 0 ? saves.slice(last + 1) : [] };
}
