/** The parameters of a request to subscribe, as ntfy reads them from the query or from headers. */
export interface SubscribeParams {
  /** Sends the messages that are already there, and ends. */
  readonly isPoll: boolean;
  readonly since: Since;
  readonly filter: Filter;
}

/** The earlier messages that a subscriber gets first. `time`: in milliseconds. */
export type Since = "all" | "none" | "latest" | { readonly id: string } | { readonly time: number };

/** Undefined and empty: any. All tags and one of the priorities must match. */
export interface Filter {
  readonly id: string | undefined;
  readonly message: string | undefined;
  readonly title: string | undefined;
  readonly priorities: readonly number[];
  readonly tags: readonly string[];
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the name of an invalid parameter instead. Unknown parameters are ignored, as in ntfy. */
export function readSubscribeParams(
  query: string,
  headers: Headers,
  now: number,
): SubscribeParams | "since" | "priority" {
  const fields = new URLSearchParams(query);
  /** A header wins over the query, and an empty value counts as missing. */
  const read = (...names: string[]): string | undefined => {
    const inHeaders = names.map((name) => headers[name]?.toString().trim());
    return [...inHeaders, ...names.map((name) => fields.get(name)?.trim())].find((value) => value);
  };
  const list = (value = "") => value.split(",").filter((part) => part !== "");
  const isPoll = isTrue(read("x-poll", "poll", "po"));
  const since = sinceOf(read("x-since", "since", "si") ?? (isPoll ? "all" : "none"), now);
  if (since === undefined) return "since";
  const priorities = list(priorityIn(read("x-priority", "priority", "prio", "p"))).map(priorityOf);
  if (priorities.includes(undefined)) return "priority";
  const filter = {
    id: read("x-id", "id"),
    message: read("x-message", "message", "m"),
    title: read("x-title", "title", "t"),
    priorities: priorities.filter((priority) => priority !== undefined),
    tags: list(read("x-tags", "tags", "tag", "ta")),
  };
  return { isPoll, since, filter };
}

const isTrue = (value = ""): boolean => ["1", "yes", "true"].includes(value.toLowerCase());

/** Browsers send the header `Priority: u=1, i` (RFC 9218), which is about something else. */
const priorityIn = (value = ""): string => (/^u=\d(?:,\s*i)?$/.test(value) ? "" : value);

const PRIORITIES = [
  ["1", "min"],
  ["2", "low"],
  ["3", "default"],
  ["4", "high"],
  ["5", "max", "urgent"],
];

function priorityOf(text: string): number | undefined {
  const index = PRIORITIES.findIndex((names) => names.includes(text.trim().toLowerCase()));
  return index < 0 ? undefined : index + 1;
}

/** ntfy reads twelve letters and digits as an id, even if all are digits. */
function sinceOf(text: string, now: number): Since | undefined {
  if (text === "all" || text === "none" || text === "latest") return text;
  if (/^[\dA-Za-z]{12}$/.test(text)) return { id: text };
  if (/^-?\d{1,15}$/.test(text)) return { time: Number(text) * 1000 };
  const duration = durationOf(text);
  return duration === undefined ? undefined : { time: now - duration };
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const MAX_DURATION_LENGTH = 100;

/** `1h30m`, in milliseconds. */
function durationOf(text: string): number | undefined {
  if (text.length > MAX_DURATION_LENGTH || !/^-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)([a-zµ]+)/g)];
  const sum = parts.reduce((total, [, count, unit]) => total + Number(count) * (UNITS[unit as string] as number), 0);
  return text.startsWith("-") ? -sum : sum;
}
