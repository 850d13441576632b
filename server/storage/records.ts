import type { Frame } from "./frames.ts";
import type { LoggedEvent, Value } from "./transaction.ts";
import { UserSet } from "./user-set.ts";

/** An event and everything that its delivery needs. */
export interface Published {
  readonly id: number;
  readonly event: LoggedEvent;
  readonly users: UserSet;
  readonly perUserOverrides: ReadonlyMap<number, Readonly<Record<string, unknown>>> | undefined;
  readonly alsoAllPublic: boolean;
  readonly origin: { readonly queueId: string; readonly fields: Readonly<Record<string, unknown>> } | undefined;
}

export interface Statement {
  sql: string;
  values: Value[];
  changes: number;
  rowid: number;
}

export interface LogRecord {
  time: number;
  actor: number | null;
  action: string;
  statements: Statement[];
  events: Published[];
}

type Bytes = { $: string };
type PackedStatement = [
  sql: string | number,
  values: (string | number | null | Bytes)[],
  changes: number,
  rowid: number,
];
type PackedEvent = [
  users: string,
  event: LoggedEvent,
  overrides?: [number[], object][],
  more?: { p?: 1; o?: [string, object] },
];
interface Packed {
  /** Id of the first event, and the number of events: at the start, so that they can be read without the rest. */
  e: [number, number];
  t: number;
  a: number | null;
  n: string;
  s: PackedStatement[];
  v?: PackedEvent[];
}

const packValue = (value: Value) =>
  value instanceof Uint8Array ? { $: Buffer.from(value).toString("base64") } : value;
const unpackValue = (value: string | number | null | Bytes): Value =>
  value !== null && typeof value === "object" ? new Uint8Array(Buffer.from(value.$, "base64")) : value;

function packEvent({ users, event, perUserOverrides, alsoAllPublic, origin }: Published): PackedEvent {
  const packed: PackedEvent = [users.toJSON(), event];
  if (perUserOverrides?.size || alsoAllPublic || origin) {
    const groups = new Map<object, number[]>();
    for (const [user, fields] of perUserOverrides ?? []) {
      const group = groups.get(fields);
      if (group) group.push(user);
      else groups.set(fields, [user]);
    }
    packed.push([...groups].map(([fields, ids]) => [ids, fields]));
    if (alsoAllPublic || origin) {
      packed.push({ ...(alsoAllPublic && { p: 1 }), ...(origin && { o: [origin.queueId, origin.fields] }) });
    }
  }
  return packed;
}

function unpackEvent([users, event, overrides, more]: PackedEvent, id: number): Published {
  const map = new Map<number, Readonly<Record<string, unknown>>>();
  for (const [ids, fields] of overrides ?? []) for (const user of ids) map.set(user, fields as Record<string, unknown>);
  return {
    id,
    event,
    users: UserSet.fromJSON(users),
    perUserOverrides: map.size > 0 ? map : undefined,
    alsoAllPublic: more?.p === 1,
    origin: more?.o && { queueId: more.o[0], fields: more.o[1] as Record<string, unknown> },
  };
}

/**
 * The record as JSON. A statement's text appears once in a segment; after that the record contains its number in
 * `dictionary`. `remember` adds the new texts to the dictionary, and runs only after the record was appended.
 */
export function encodeRecord(
  record: LogRecord,
  dictionary: ReadonlyMap<string, number>,
): { text: string; remember(into: Map<string, number>): void } {
  const fresh = new Map<string, number>();
  const packed: Packed = {
    e: [record.events[0]?.id ?? 0, record.events.length],
    t: record.time,
    a: record.actor,
    n: record.action,
    s: record.statements.map(({ sql, values, changes, rowid }) => {
      const number = dictionary.get(sql) ?? fresh.get(sql);
      if (number === undefined) fresh.set(sql, dictionary.size + fresh.size);
      return [number ?? sql, values.map(packValue), changes, rowid];
    }),
  };
  if (record.events.length > 0) packed.v = record.events.map(packEvent);
  return {
    text: JSON.stringify(packed),
    remember: (into) => {
      for (const [sql, number] of fresh) into.set(sql, number);
    },
  };
}

/** Decodes a record frame, and adds its new texts to the segment's dictionary. */
export function decodeRecord(frame: Frame, dictionary: Map<string, number>, texts: string[]): LogRecord {
  const packed = JSON.parse(frame.payload.toString("utf8")) as Packed;
  const statements = packed.s.map(([sql, values, changes, rowid]) => {
    let text: string | undefined;
    if (typeof sql === "number") text = texts[sql];
    else {
      text = sql;
      dictionary.set(sql, texts.length);
      texts.push(sql);
    }
    if (text === undefined) throw new Error(`record ${frame.number} names an unknown statement`);
    return { sql: text, values: values.map(unpackValue), changes, rowid };
  });
  const [firstId] = packed.e;
  return {
    time: packed.t,
    actor: packed.a,
    action: packed.n,
    statements,
    events: (packed.v ?? []).map((event, index) => unpackEvent(event, firstId + index)),
  };
}

/** The events of a record frame without its statements, for queues that are far behind. */
export function decodeEvents(frame: Frame): Published[] {
  const { e, v = [] } = JSON.parse(frame.payload.toString("utf8")) as Packed;
  return v.map((event, index) => unpackEvent(event, e[0] + index));
}

/** Id of the last event in a record frame, or 0 if it has none; reads only the start of the frame. */
export function lastEventIn(frame: Frame): number {
  const [, first, count] = /^\{"e":\[(\d+),(\d+)\]/.exec(frame.payload.toString("latin1", 0, 48)) ?? [];
  return count === undefined || count === "0" ? 0 : Number(first) + Number(count) - 1;
}
