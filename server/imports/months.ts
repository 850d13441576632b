/** "2024-03", in UTC. */
export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/**
 * The counts of a place in a month. `files` are in the export, with `bytes`; `elsewhere` is at the source; `missing`
 * files are nowhere.
 */
export const MONTH_COUNTS = ["messages", "reactions", "files", "bytes", "elsewhere", "missing"] as const;
export type MonthCounts = Record<(typeof MONTH_COUNTS)[number], number>;
