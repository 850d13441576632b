/** UTC offsets in hours of the time zones that the public server knows by name. */
const ZONES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "-11": "sst",
    "-10": "hst",
    "-9": "akst hdt",
    "-8": "pst akdt",
    "-7": "mst pdt",
    "-6": "cst mdt",
    "-5": "est cdt",
    "-4": "ast edt",
    "-3.5": "nst",
    "-3": "adt",
    "-2.5": "ndt",
    "0": "utc gmt z wet",
    "1": "cet bst met wat west",
    "2": "cest eet mest cat sast",
    "3": "eest msk eat idt",
    "5": "pkt",
    "5.5": "ist",
    "7": "wib",
    "8": "awst hkt wita",
    "9": "jst kst wit",
    "9.5": "acst",
    "10": "aest chst",
    "10.5": "acdt",
    "11": "aedt",
    "12": "nzst",
    "13": "nzdt",
  }).flatMap(([hours, names]) => names.split(" ").map((name) => [name, Number(hours)] as const)),
);

const namesIn = (names: string): ReadonlyMap<string, number> =>
  new Map(names.split(" ").flatMap((name, index) => [[name, index] as const, [name.slice(0, 3), index] as const]));
const MONTHS = namesIn("january february march april may june july august september october november december");
const WEEKDAYS = namesIn("sunday monday tuesday wednesday thursday friday saturday");
const FILLERS = new Set(["at", "on", "of", "and", "st", "nd", "rd", "th", "t"]);

/** `20261121`, with or without `1600` or `160000` after it. */
const COMPACT = /(?<![\d.])(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(?![\d.])/;
/** Forms of the time of day. Groups: hour, minute, second, half of the day. */
const CLOCKS = [
  /(?<=\d)t(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?)?(?![\d:]| ?h| ?[ap]\.?m?\b)/,
  /(?<![\d:+-])(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?![\d:])(?: ?([ap])(?:\.?m)?\b\.?)?/,
  /(?<![\d:+-])(\d{1,2}) ?h(?:ours?)?(?: ?(\d\d)(?: ?m(?:in(?:ute)?s?)?(?![a-z])|(?<=h\d\d)(?!\d))|(?![a-z\d]))/,
  /(?<![\d:+-])(\d{1,2})()() ?([ap])(?:\.?m)?\b\.?/,
];
/** After the time of day. Groups: sign, hours, minutes. */
const OFFSET = /^\s*(?:utc|gmt)?\s*([+-])(\d{1,2})(?::?(\d\d))?(?!\d)(?:\s*\([a-z ]*\))?/;
/** The years 0 to 9999, in milliseconds: what ISO 8601 writes with four digits. */
const [FIRST, END] = [-62_167_219_200_000, 253_402_300_800_000];
/** A year of two digits is one of the hundred that begin here. */
const FIRST_SHORT_YEAR = 1976;

/**
 * Parses the time of `<time:…>` to `2026-11-21T16:00:00Z`, as the public server does; undefined if it is invalid. The
 * default zone is UTC. Does not add missing parts of a date from the clock, since the same text gives the same HTML.
 */
export function readTime(written: string): string | undefined {
  if (written.length > 100) return undefined;
  const text = written.trim().toLowerCase().replace(/\s+/g, " ");
  const at = readDate(text) ?? (/^\d{1,12}(?:\.\d+)?$/.test(text) ? Math.floor(Number(text)) * 1000 : undefined);
  if (at === undefined || !(at >= FIRST && at < END)) return undefined;
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

function readDate(text: string): number | undefined {
  let rest = text.replace(COMPACT, (_, year, month, day, hour = "", minute = "", second = "") =>
    hour === "" ? `${year}-${month}-${day}` : `${year}-${month}-${day}t${hour}${minute}${second}`,
  );
  const take = (pattern: RegExp | undefined): RegExpExecArray | undefined => {
    const match = pattern?.exec(rest) ?? undefined;
    if (match) rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`;
    return match;
  };
  const pattern = CLOCKS.find((clock) => clock.test(rest));
  const end = pattern?.exec(rest);
  const after = end ? rest.slice(end.index + end[0].length) : "";
  const written = OFFSET.exec(after);
  if (written) rest = rest.slice(0, rest.length - after.length) + after.slice(written[0].length);
  const clock = take(pattern);
  let offset = written
    ? (Number(written[2]) + Number(written[3] ?? 0) / 60) * (written[1] === "-" ? -1 : 1)
    : undefined;

  if (!/^[a-z\d\s,.;/'-]*$/.test(rest)) return undefined;
  const parts: DatePart[] = [];
  for (const word of rest.match(/\d+|[a-z]+/g) ?? []) {
    const month = word === "sept" ? 8 : MONTHS.get(word);
    if (/^\d/.test(word)) parts.push({ is: "number", value: Number(word), digits: word.length });
    else if (month !== undefined) parts.push({ is: "month", value: month });
    else if (ZONES.has(word) && offset === undefined) offset = ZONES.get(word);
    else if (!WEEKDAYS.has(word) && !FILLERS.has(word)) return undefined;
  }
  const day = dayOf(parts);
  const time = timeOf(clock);
  if (day === undefined || time === undefined || Math.abs(offset ?? 0) > 14) return undefined;
  return day + time - (offset ?? 0) * 3_600_000;
}

/** Milliseconds since the day began. */
function timeOf(clock: RegExpExecArray | undefined): number | undefined {
  const [hour = 0, minute = 0, second = 0] = [clock?.[1], clock?.[2], clock?.[3]].map((part) => Number(part ?? 0));
  const half = clock?.[4];
  if (hour > (half ? 12 : 23) || minute > 59 || second > 59) return undefined;
  const hours = half ? (hour % 12) + (half === "p" ? 12 : 0) : hour;
  return ((hours * 60 + minute) * 60 + second) * 1000;
}

type DatePart = { is: "month"; value: number } | { is: "number"; value: number; digits: number };

/** The day in milliseconds, of three parts in any unambiguous order, or else in the American order. */
function dayOf(parts: readonly DatePart[]): number | undefined {
  const [first, second, third] = parts;
  if (!first || !second || !third || parts.length > 3) return undefined;
  const isYear = (part: DatePart): boolean => part.is === "number" && (part.digits === 4 || part.value > 31);
  const named = parts.find(({ is }) => is === "month");
  const [a, b] = parts.filter((part) => part !== named) as [DatePart, DatePart];
  if (!named) {
    if (isYear(first)) return utcDay(first, numbered(second), third);
    return first.value > 12 ? utcDay(third, numbered(second), first) : utcDay(third, numbered(first), second);
  }
  const isYearFirst = isYear(a) || (!isYear(b) && named === third);
  return isYearFirst ? utcDay(a, named, b) : utcDay(b, named, a);
}

const numbered = ({ value }: DatePart): DatePart => ({ is: "month", value: value - 1 });

function utcDay(year: DatePart, month: DatePart, day: DatePart): number | undefined {
  if (year.is === "month" || day.is === "month" || day.digits > 2) return undefined;
  if (year.digits > 4 || year.digits === 3) return undefined;
  const full = year.digits < 3 ? FIRST_SHORT_YEAR + ((year.value + 100 - (FIRST_SHORT_YEAR % 100)) % 100) : year.value;
  const at = Date.UTC(full, month.value, day.value);
  const exists = full >= 100 && month.value >= 0 && month.value < 12 && day.value >= 1;
  return exists && new Date(at).getUTCDate() === day.value ? at : undefined;
}
