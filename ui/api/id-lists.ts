// Lists of ids, smallest first.

export const insert = (ids: readonly number[], more: readonly number[]) =>
  [...new Set([...ids, ...more])].sort((a, b) => a - b);
export const without = (ids: readonly number[], gone: ReadonlySet<number>) => ids.filter((id) => !gone.has(id));
