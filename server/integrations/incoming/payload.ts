import { badRequest } from "../../errors.ts";

/** Longer than a message. Longer texts are truncated when they are read, which bounds the work on each text. */
const MAX_TEXT = 20_000;
const MAX_SHORT_TEXT = 100;
/** After `whole` characters each text is truncated to 100, which is enough to count what is not shown. */
const MAX_READ = { whole: 60_000, short: 60_000 };
/** Each list may use half of the rest. GitHub sends up to 2048 commits. */
const MAX_ITEMS = 5000;

/**
 * Limits how much is read of a payload. A body of 5 MB contains a hundred times as much as a message, and converting
 * all of it would block the event loop for a second.
 */
class Room {
  #characters = MAX_READ.whole + MAX_READ.short;
  #items = MAX_ITEMS;

  take(text: string): string {
    const limit = this.#characters > MAX_READ.short ? MAX_TEXT : this.#characters > 0 ? MAX_SHORT_TEXT : 0;
    const taken = text.length <= limit ? text : text.slice(0, limit);
    this.#characters -= taken.length;
    return taken;
  }

  first<Item>(list: readonly Item[]): readonly Item[] {
    // Leaves some for the lists inside the items.
    const most = Math.ceil(this.#items / 2);
    const taken = list.length <= most ? list : list.slice(0, most);
    this.#items -= taken.length;
    return taken;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Looks up a word of another service, which may be "constructor". */
export const lookUp = <Value>(table: Readonly<Record<string, Value>>, word: string | number): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/**
 * A payload, or a part of it, read by path: `pull_request.head.label`, `links.self.0.href`.
 *
 * `text`, `number`, `at` and `list` read required fields: they throw an ApiError that names the path. Their
 * counterparts with `maybe` return undefined if the field is absent, null, empty or of another type. Beyond the limits
 * of `Room`, texts and lists are truncated and finally empty.
 */
export class Payload {
  readonly #value: unknown;
  readonly #path: string;
  readonly #room: Room;

  constructor(value: unknown, path = "", room = new Room()) {
    this.#value = value;
    this.#path = path;
    this.#room = room;
  }

  text(path: string): string {
    const value = this.#find(path);
    if (typeof value === "number") return String(value);
    return typeof value === "string" ? this.#room.take(value) : this.#refuse(path, "text", value);
  }

  /** The first text or number at one of these paths. */
  maybeText(...paths: string[]): string | undefined {
    for (const path of paths) {
      const value = this.#find(path);
      if (typeof value === "number") return String(value);
      if (typeof value !== "string") continue;
      const text = this.#room.take(value);
      if (text.trim() !== "") return text;
    }
    return undefined;
  }

  number(path: string): number {
    const value = this.#find(path);
    return typeof value === "number" ? value : this.#refuse(path, "a number", value);
  }

  maybeNumber(path: string): number | undefined {
    const value = this.#find(path);
    return typeof value === "number" ? value : undefined;
  }

  isTrue(path: string): boolean {
    return this.#find(path) === true;
  }

  isFalse(path: string): boolean {
    return this.#find(path) === false;
  }

  /** Whether the key exists, even with null. */
  has(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  isObject(path: string): boolean {
    return isObject(this.#find(path));
  }

  at(path: string): Payload {
    const value = this.#find(path);
    return isObject(value)
      ? new Payload(value, this.#pathOf(path), this.#room)
      : this.#refuse(path, "an object", value);
  }

  maybe(path: string): Payload | undefined {
    return this.isObject(path) ? this.at(path) : undefined;
  }

  list(path: string): Payload[] {
    const value = this.#find(path);
    return Array.isArray(value) ? this.maybeList(path) : this.#refuse(path, "a list", value);
  }

  /** The objects of a list; empty if there is no list. */
  maybeList(path: string): Payload[] {
    const value = this.#find(path);
    if (!Array.isArray(value)) return [];
    const full = this.#pathOf(path);
    return this.#room
      .first(value)
      .flatMap((item, index) => (isObject(item) ? [new Payload(item, `${full}.${index}`, this.#room)] : []));
  }

  /** The texts, numbers and truth values of a list. */
  texts(path: string): string[] {
    const value = this.#find(path);
    if (!Array.isArray(value)) return [];
    return this.#room
      .first(value)
      .map((item) => this.#scalar(item))
      .filter((text) => text !== undefined);
  }

  /** The keys of an object that hold a text, a number or a truth value. */
  entries(path: string): [string, string][] {
    const value = this.#find(path);
    if (!isObject(value)) return [];
    return this.#room.first(Object.entries(value)).flatMap(([key, item]): [string, string][] => {
      const text = this.#scalar(item);
      return text === undefined ? [] : [[this.#room.take(key), text]];
    });
  }

  keys(path?: string): string[] {
    const value = this.raw(path);
    return isObject(value) ? this.#room.first(Object.keys(value)).map((key) => this.#room.take(key)) : [];
  }

  /** The value itself; without a path, of the whole payload. */
  raw(path?: string): unknown {
    return path === undefined ? this.#value : this.#find(path);
  }

  #scalar(value: unknown): string | undefined {
    if (typeof value === "string") return this.#room.take(value);
    return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  }

  #find(path: string): unknown {
    let value = this.#value;
    for (const key of path.split(".")) {
      if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
      value = value[key];
    }
    return value;
  }

  #pathOf(path: string): string {
    return this.#path === "" ? path : `${this.#path}.${path}`;
  }

  #refuse(path: string, expected: string, value: unknown): never {
    const full = this.#pathOf(path);
    if (value === undefined) throw badRequest("payload_field_missing", { path: full }, { path: full });
    throw badRequest("payload_field_invalid", { path: full, expected }, { path: full });
  }
}

/** The body as JSON, whatever its content type says. Always an object. */
export function parsePayload(body: Buffer | string): Payload {
  let value: unknown;
  try {
    value = JSON.parse(
      typeof body === "string" ? body.replace(/^\uFEFF/, "") : new TextDecoder("utf-8", { fatal: true }).decode(body),
    );
  } catch {
    throw badRequest("payload_not_json");
  }
  if (!isObject(value) || Array.isArray(value)) {
    throw badRequest("payload_not_object");
  }
  return new Payload(value);
}
