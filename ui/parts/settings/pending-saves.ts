/** Values of one setting that are being saved, oldest first. */
export interface PendingSaves<T> {
  /** What the live state had when this was last looked at. */
  readonly held: T;
  /** Each until the live state has it, or the server refuses it. An answer may come before its event. */
  readonly saves: readonly PendingSave<T>[];
}

interface PendingSave<T> {
  readonly id: number;
  readonly value: T;
  readonly isAnswered: boolean;
}

/** Values of settings are JSON; two objects with the same content are the same value. */
const isSame = <T>(a: T, b: T): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The value to show: the newest that is being saved, else the one that holds. */
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

/** Where nothing has changed, there is no event that would end it. */
export function answered<T>({ held, saves }: PendingSaves<T>, id: number): PendingSaves<T> {
  const [first] = saves;
  if (saves.length === 1 && first?.id === id && isSame(first.value, held)) return { held, saves: [] };
  return { held, saves: saves.map((save) => (save.id === id ? { ...save, isAnswered: true } : save)) };
}

/** As it is once the live state has `held`. */
export function afterHeld<T>(pending: PendingSaves<T>, held: T): PendingSaves<T> {
  if (isSame(pending.held, held)) return pending;
  const { saves } = pending;
  const has = ({ value }: PendingSave<T>) => isSame(value, held);
  const newest = saves.findLastIndex((save) => save.isAnswered && has(save));
  const last = newest >= 0 ? newest : saves.findIndex(has);
  // A value that none of them asked for is what somebody else saved.
  return { held, saves: last >= 0 ? saves.slice(last + 1) : [] };
}
