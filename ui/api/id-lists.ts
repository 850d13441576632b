// Lists of ids, smallest first.

export const insert = (ids: readonly number[], added: readonly number[]) =>
  [...new Set([...ids, ...added])].sort((a, b) => a - b);
export const without = (ids: readonly number[], removed: ReadonlySet<number>) => ids.filter((id) => !removed.has(id));
