const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** UTC offsets in hours of named time zones. */
const ZONES: Record<string, number> = {
  utc: 0,
  gmt: 0,
  z: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  bst: 1,
  wet: 0,
  west: 1,
  msk: 3,
  ist: 5.5,
  jst: 9,
  aest: 10,
  aedt: 11,
};
/** A day, a time of day, a zone; in any order, the day in its ISO form or with the month's name. */
const ISO_DAY = /\b(\d{4})-(\d{1,2})-(\d{1,2})(?=$|[\st,])/i;
const DAY_MONTH = /\b(\d{1,2})(?:st|nd|rd|th)?[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4})\b/i;
const MONTH_DAY = /\b([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b/i;
const CLOCK = /(?<![\d:])(\d{1,2})(?::(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?\s*([ap]\.?m\b\.?)?(?![\d:])/i;
const OFFSET = /(?:utc|gmt)?\s*([+-])(\d{1,2}):?(\d{2})?$/i;
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s*/i;
/** The years 0 to 9999, in milliseconds: what ISO 8601 writes with four digits. */
const [FIRST, END] = [-62_167_219_200_000, 253_402_300_800_000];

/** Parses the time of `<time:…>` to `2026-11-21T16:00:00Z`; undefined if it is invalid. The default zone is UTC. */
export function readTime(written: string): string | undefined {
  if (written.length > 100) return undefined;
  const text = written.trim();
  const at = /^\d{1,12}(?:\.\d+)?$/.test(text) ? Math.floor(Number(text)) * 1000 : readDate(text);
  if (at === undefined || !(at >= FIRST && at < END)) return undefined;
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

function readDate(text: string): number | undefined {
  let rest = text.replace(WEEKDAY, "");
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest);
    if (match) rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`;
    return match;
  };
  const day = takeDay(take);
  if (!day) return undefined;
  rest = rest.replace(/^\s*t(?=\d)/i, "").trim();
  let offset = 0;
  const numeric = /\d/.test(rest) ? take(OFFSET) : null;
  if (numeric) offset = (Number(numeric[2]) + Number(numeric[3] ?? 0) / 60) * (numeric[1] === "-" ? -1 : 1);
  const clock = take(CLOCK);
  const zone = rest
    .replace(/\bat\b|,/g, " ")
    .trim()
    .toLowerCase();
  if (zone !== "") {
    if (ZONES[zone] === undefined || numeric) return undefined;
    offset = ZONES[zone];
  }
  let hour = Number(clock?.[1] ?? 0);
  const [minute, second] = [Number(clock?.[2] ?? 0), Number(clock?.[3] ?? 0)];
  if (clock && clock[2] === undefined && clock[4] === undefined) return undefined;
  if (clock?.[4]) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (/^p/i.test(clock[4]) ? 12 : 0);
  }
  if (hour > 23 || minute > 59 || second > 59 || Math.abs(offset) > 14) return undefined;
  return Date.UTC(day.year, day.month, day.day, hour, minute, second) - offset * 3_600_000;
}

function takeDay(
  take: (pattern: RegExp) => RegExpExecArray | null,
): { year: number; month: number; day: number } | undefined {
  const iso = take(ISO_DAY);
  const named = iso ? null : take(DAY_MONTH);
  const american = iso || named ? null : take(MONTH_DAY);
  const [year, day] = [
    Number((iso?.[1] ?? (named ?? american)?.[3]) || 0),
    Number(iso?.[3] ?? named?.[1] ?? american?.[2]),
  ];
  const monthName = (named?.[2] ?? american?.[1] ?? "").toLowerCase();
  const month = iso ? Number(iso[2]) - 1 : monthNamed(monthName);
  // Date interprets the years 0 to 99 as 1900 to 1999.
  if (year < 100 || month < 0 || month > 11) return undefined;
  const exists = day >= 1 && day <= new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return exists ? { year, month, day } : undefined;
}

const FULL_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december".split("|");

const monthNamed = (name: string): number =>
  name === "sept" ? 8 : name.length === 3 ? MONTHS.indexOf(name) : FULL_MONTHS.indexOf(name);
