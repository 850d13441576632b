import { randomInt } from "node:crypto";
import type { ShownNotification } from "../../api/presenters/notifications.ts";
import type { NotificationRow } from "../../api/queries/notifications.ts";
import type { Filter } from "./subscribe-params.ts";

/** An event of ntfy's subscribe protocol: https://docs.ntfy.sh/subscribe/api/#json-message-format */
export interface NtfyEvent {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly time: number;
  readonly expires?: number;
  readonly event: "open" | "keepalive" | "message" | "message_clear" | "message_delete";
  readonly topic: string;
  /** Equal for all events about the same chat message. */
  readonly sequence_id?: string;
  readonly title?: string;
  readonly message?: string;
  readonly priority?: number;
  readonly tags?: readonly string[];
  readonly click?: string;
  readonly icon?: string;
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 12;

/**
 * ntfy's ids have twelve letters and digits. Ours contain the row's id, so that `since` can name a row, after a prefix
 * that differs between servers.
 */
export function eventId(prefix: string, rowId: number): string {
  let text = "";
  for (let rest = rowId; rest > 0; rest = Math.floor(rest / 62)) text = (DIGITS[rest % 62] as string) + text;
  return prefix + text.padStart(ID_LENGTH - prefix.length, "0");
}

/** Undefined for ids of other servers. */
export function rowIdIn(prefix: string, id: string): number | undefined {
  if (!id.startsWith(prefix)) return undefined;
  return [...id.slice(prefix.length)].reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0);
}

const randomId = (): string => Array.from({ length: ID_LENGTH }, () => DIGITS[randomInt(62)]).join("");

const seconds = (ms: number): number => Math.floor(ms / 1000);

export const stateEvent = (event: "open" | "keepalive", topic: string, now: number): NtfyEvent => ({
  id: randomId(),
  time: seconds(now),
  event,
  topic,
});

interface Row {
  readonly row: NotificationRow;
  readonly topic: string;
  /** Of this server's ids. */
  readonly prefix: string;
}

const sequenceOf = ({ id, message_id }: NotificationRow): string =>
  message_id === null ? `test-${id}` : `message-${message_id}`;

/** The priorities "high" and "default" of ntfy. */
const [PERSONAL, USUAL] = [4, 3];
/** The app shows these names as emoji before the title. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
  direct: ["speech_balloon"],
  mention: ["bell"],
  alert_word: ["bell"],
  wildcard: ["bell"],
};
/** Pictures that need no sign-in: docs/protocol.md#pictures. */
const OPEN_PICTURE = /^\/(?:user_avatars|generated)\//;

/** `baseUrl`: the server's, as the subscriber reaches it. `keptMs`: how long the row exists. */
export function messageEvent(
  { row, topic, prefix }: Row,
  shown: ShownNotification,
  { baseUrl, keptMs }: { baseUrl: string; keptMs: number },
): NtfyEvent {
  const tags = TAGS[row.trigger ?? ""];
  return {
    id: eventId(prefix, row.id),
    time: seconds(row.created_at),
    expires: seconds(row.created_at + keptMs),
    event: "message",
    topic,
    sequence_id: sequenceOf(row),
    title: shown.title,
    message: shown.body,
    priority: shown.isPersonal ? PERSONAL : USUAL,
    ...(tags && { tags }),
    click: baseUrl + shown.url,
    ...(shown.picture !== null && OPEN_PICTURE.test(shown.picture) && { icon: baseUrl + shown.picture }),
  };
}

/** Removes the notification from the phone, and with `isGone` also the text from the app's list. */
export const clearEvent = ({ row, topic, prefix }: Row, isGone: boolean): NtfyEvent => ({
  id: eventId(prefix, row.id),
  time: seconds(row.created_at),
  event: isGone ? "message_delete" : "message_clear",
  topic,
  sequence_id: sequenceOf(row),
});

export function passes(filter: Filter, { id, event, title, message, priority = USUAL, tags = [] }: NtfyEvent): boolean {
  if (event !== "message") return true;
  return (
    (filter.id ?? id) === id &&
    (filter.message ?? message) === message &&
    (filter.title ?? title) === title &&
    (filter.priorities.length === 0 || filter.priorities.includes(priority)) &&
    filter.tags.every((tag) => tags.includes(tag))
  );
}

export type Format = "json" | "sse" | "raw" | "ws";

/** The text of an event on the wire. */
export function encode(format: Format, event: NtfyEvent): string {
  if (format === "raw") return `${event.event === "message" ? event.message?.replace(/\s+/g, " ") : ""}\n`;
  // The app for iPhones splits lines at these characters too, which JSON.stringify leaves as they are.
  const json = JSON.stringify(event).replace(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  if (format === "ws") return json;
  if (format === "json") return `${json}\n`;
  return event.event === "message" ? `data: ${json}\n\n` : `event: ${event.event}\ndata: ${json}\n\n`;
}

export const CONTENT_TYPES: Readonly<Record<Exclude<Format, "ws">, string>> = {
  json: "application/x-ndjson; charset=utf-8",
  sse: "text/event-stream; charset=utf-8",
  raw: "text/plain; charset=utf-8",
};
