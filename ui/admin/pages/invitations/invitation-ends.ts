const DAY_MINUTES = 1440;

/** Days until the invitation expires. Empty: never. */
export const ENDS = ["1", "10", "30", ""] as const;
export type End = (typeof ENDS)[number];

export const minutesUntil = (end: End): number | null => (end === "" ? null : Number(end) * DAY_MINUTES);
