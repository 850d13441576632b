import { badRequest } from "../errors.ts";

/** More than a message holds; what is longer is cut when it is read, so that no text is slow to work on. */
const MAX_TEXT = 20_000;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** What a table says of a word from outside, which may be "constructor". */
export const lookUp = <Value>(table: Readonly<Record<string, Value>>, word: string | number): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/**
 * A payload, or a part of it, read by path: `pull_request.head.label`, `links.self.0.href`.
 *
 * `text`, `number`, `at` and `list` are for what a message cannot do without, and refuse the payload with the path in
 * words. Their counterparts with `maybe` are for details: undefined where one is absent, null, empty or of another type.
 */
export class Payload {
  readonly #value: unknown;
  readonly #path: string;

  constructor(value: unknown, path = "") {
    this.#value = value;
    this.#path = path;
  }

  text(path: string): string {
    const value = this.#find(path);
    if (typeof value === "number") return String(value);
    return typeof value === "string" ? shorten(value) : this.#refuse(path, "a text", value);
  }

  /** The first text, or number, among several paths. */
  maybeText(...paths: string[]): string | undefined {
    for (const path of paths) {
      const value = this.#find(path);
      if (typeof value === "number") return String(value);
      if (typeof value === "string" && value.trim() !== "") return shorten(value);
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

  /** Whether it is true and nothing else. */
  isTrue(path: string): boolean {
    return this.#find(path) === true;
  }

  isFalse(path: string): boolean {
    return this.#find(path) === false;
  }

  /** Whether the key is there, be it null. */
  has(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  isObject(path: string): boolean {
    return isObject(this.#find(path));
  }

  at(path: string): Payload {
    const value = this.#find(path);
    return isObject(value) ? new Payload(value, this.#pathOf(path)) : this.#refuse(path, "an object", value);
  }

  maybe(path: string): Payload | undefined {
    return this.isObject(path) ? this.at(path) : undefined;
  }

  list(path: string): Payload[] {
    const value = this.#find(path);
    return Array.isArray(value) ? this.maybeList(path) : this.#refuse(path, "a list", value);
  }

  /** The objects of a list; none where there is no list. */
  maybeList(path: string): Payload[] {
    const value = this.#find(path);
    if (!Array.isArray(value)) return [];
    return value.flatMap((item, index) =>
      isObject(item) ? [new Payload(item, `${this.#pathOf(path)}.${index}`)] : [],
    );
  }

  /** The texts, numbers and truth values of a list. */
  texts(path: string): string[] {
    const value = this.#find(path);
    return Array.isArray(value) ? value.map(scalar).filter((text) => text !== undefined) : [];
  }

  /** The keys of an object that hold a text, a number or a truth value. */
  entries(path: string): [string, string][] {
    const value = this.#find(path);
    if (!isObject(value)) return [];
    return Object.entries(value).flatMap(([key, item]): [string, string][] => {
      const text = scalar(item);
      return text === undefined ? [] : [[shorten(key), text]];
    });
  }

  keys(path?: string): string[] {
    const value = this.raw(path);
    return isObject(value) ? Object.keys(value).map(shorten) : [];
  }

  /** The value itself; of the payload as a whole where no path is given. */
  raw(path?: string): unknown {
    return path === undefined ? this.#value : this.#find(path);
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
    const found = value === undefined ? "is missing" : `is ${nameOfType(value)}`;
    throw badRequest(`The payload's ${full} ${found}: it should be ${expected}.`, { path: full });
  }
}

/** The body as JSON, whatever its content type says. Always an object. */
export function parsePayload(body: Buffer | string): Payload {
  let value: unknown;
  try {
    value = JSON.parse(typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw badRequest("The payload is not JSON in UTF-8.");
  }
  if (!isObject(value) || Array.isArray(value)) {
    throw badRequest(`The payload is ${nameOfType(value)}: it should be an object.`);
  }
  return new Payload(value);
}

const shorten = (text: string): string => (text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT));

function scalar(value: unknown): string | undefined {
  if (typeof value === "string") return shorten(value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

function nameOfType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}
