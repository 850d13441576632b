/**
 * How fast a thread works on a backup: one number in memory that both threads see. `gentle` rests as long as it works, so
 * that the disk and the processor are free for chat; `ended` stops at the next megabyte.
 */
export const PACES = { gentle: 0, fast: 1, ended: 2 } as const;
export type Pace = keyof typeof PACES;
