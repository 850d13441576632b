import { z } from "zod";
import { ApiError, because, missingParameter, type Problem, problem, refusedParameter, shortened } from "../errors.ts";
import { jsonBounds, MAX_JSON_DEPTH, MAX_JSON_VALUES } from "./json-bounds.ts";

/** The decoded fields of a request, in the order sent. */
export type Fields = ReadonlyMap<string, string>;

/** A field has the value itself, its JSON text, or either. */
type Travels = "raw" | "json" | "either";

interface Kind {
  readonly travels: Travels;
  readonly schema: z.ZodType;
  readonly decode: (raw: string, name: string) => unknown;
  /**
   * Which parts of a path it matches: "number" only digits, "rest" the rest of the path. Default: one segment of any
   * text.
   */
  readonly inPath?: "number" | "rest";
  readonly aliases?: readonly string[];
  readonly required?: boolean;
  readonly fallback?: unknown;
  readonly description?: string;
}

/**
 * A parameter of an endpoint. Immutable: each method returns a new one. The handler gets `Out`, a client sends `In`, and
 * `Omittable` is whether it can leave the parameter out.
 */
export class Param<Out, In = Out, Omittable extends boolean = boolean> {
  declare readonly types: { out: Out; in: In; omittable: Omittable };
  readonly travels: Travels;
  readonly schema: z.ZodType;
  readonly decode: (raw: string, name: string) => unknown;
  readonly inPath: Kind["inPath"];
  readonly aliases: readonly string[];
  readonly required: boolean;
  readonly fallback: unknown;
  readonly description: string | undefined;

  constructor(kind: Kind) {
    this.travels = kind.travels;
    this.schema = kind.schema;
    this.decode = kind.decode;
    this.inPath = kind.inPath;
    this.aliases = kind.aliases ?? [];
    this.required = kind.required ?? true;
    this.fallback = kind.fallback;
    this.description = kind.description;
  }

  optional(): Param<Out | undefined, In, true> {
    return new Param({ ...this, required: false } as Kind);
  }

  default<const D extends Out>(fallback: D): Param<Out, In, true> {
    return new Param({ ...this, required: false, fallback } as Kind);
  }

  /** Other names that clients use. A request with two of them gets `REQUEST_CONFUSING_VAR`. */
  alias(...names: string[]): Param<Out, In, Omittable> {
    return new Param({ ...this, aliases: [...this.aliases, ...names] } as Kind);
  }

  describe(description: string): Param<Out, In, Omittable> {
    return new Param({ ...this, description } as Kind);
  }

  /** Changes text before further checks, so that they concern the text that is stored. */
  normalized(this: Param<string, string, Omittable>, by: (text: string) => string): Param<Out, In, Omittable> {
    const { decode } = this;
    return new Param({ ...this, decode: (raw: string, name: string) => by(decode(raw, name) as string) } as Kind);
  }

  /** Refuses text of more than `limit` Unicode code points. */
  maxLength(
    this: Param<string, string, Omittable> | Param<string | undefined, string, Omittable>,
    limit: number,
  ): Param<Out, In, Omittable> {
    const { decode } = this;
    return new Param({
      ...this,
      // zod counts UTF-16 units. Like us, JSON schema's maxLength counts code points.
      schema: (this.schema as z.ZodString)
        .refine((value) => !isLonger(value, limit), because("too_long", { count: limit }))
        .meta({ maxLength: limit }),
      decode: (raw: string, name: string) => {
        const value = decode(raw, name) as string;
        if (isLonger(value, limit))
          throw refusedParameter(name, "too_long", { count: limit, length: codePoints(value) });
        return value;
      },
    } as Kind);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: any parameter, whatever it yields
export type AnyParam = Param<any, any, any>;

/** Text as it was sent. */
export function text(): Param<string, string, false> {
  return new Param<string, string, false>({ travels: "raw", schema: z.string(), decode: cleanText });
}

/** The rest of a path, including slashes. */
export function restOfPath(): Param<string, string, false> {
  return new Param<string, string, false>({
    travels: "raw",
    schema: z.string(),
    decode: cleanText,
    inPath: "rest",
  });
}

/** Text that the schema accepts. */
export function textOf<S extends z.ZodType<unknown, string>>(schema: S): Param<z.output<S>, string, false> {
  return new Param<z.output<S>, string, false>({
    travels: "raw",
    schema,
    decode: (raw, name) => accept(schema, cleanText(raw, name), name),
  });
}

/** A whole number that JavaScript holds exactly. */
export function integer({
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
} = {}): Param<number, number, false> {
  return new Param<number, number, false>({
    travels: "raw",
    schema: z.int().min(min).max(max),
    inPath: "number",
    decode: (raw, name) => {
      const value = /^-?\d{1,16}$/.test(raw) ? Number(raw) : Number.NaN;
      if (!Number.isSafeInteger(value)) throw refusedParameter(name, "not_integer");
      if (value < min) throw refusedParameter(name, "number_too_small", { min });
      if (value > max) throw refusedParameter(name, "number_too_large", { max });
      return value + 0; // "-0" is 0
    },
  });
}

/** A decimal number. */
export function number(): Param<number, number, false> {
  return new Param<number, number, false>({
    travels: "raw",
    schema: z.number(),
    decode: (raw, name) => {
      const value = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(raw) ? Number(raw) : Number.NaN;
      if (!Number.isFinite(value)) throw refusedParameter(name, "not_number");
      return value;
    },
  });
}

/** `true` or `false`, in JSON quotes or without. */
export function boolean(): Param<boolean, boolean, false> {
  return new Param<boolean, boolean, false>({
    travels: "raw",
    schema: z.boolean(),
    decode: (raw, name) => {
      if (raw === "true" || raw === '"true"') return true;
      if (raw === "false" || raw === '"false"') return false;
      throw refusedParameter(name, "not_boolean");
    },
  });
}

/** One of the given words or numbers, in JSON quotes or without. */
export function oneOf<const T extends string | number>(...allowed: readonly T[]): Param<T, T, false> {
  const byText = new Map<string, T>();
  for (const value of allowed) byText.set(String(value), value).set(JSON.stringify(value), value);
  return new Param<T, T, false>({
    travels: "raw",
    schema: z.literal(allowed as readonly [T, ...T[]]),
    decode: (raw, name) => {
      const value = byText.get(raw);
      if (value === undefined) throw refusedParameter(name, "value_not_allowed", { values: allowed.join(", ") });
      return value;
    },
  });
}

/** JSON text that `schema` accepts. */
export function json<S extends z.ZodType>(schema: S): Param<z.output<S>, z.input<S>, false> {
  return new Param<z.output<S>, z.input<S>, false>({
    travels: "json",
    schema,
    decode: (raw, name) => {
      const value = jsonValue(raw, name);
      if (value === NotJson) throw refusedParameter(name, "not_json");
      return accept(schema, value, name);
    },
  });
}

/** Items of any list in a request. Longer lists block the event loop. */
export const MAX_ITEMS = 20_000;

/** A JSON array of at most `max` items of the given kind or schema. */
export function listOf<O, I>(item: Param<O, I, false>, max?: number): Param<O[], I[], false>;
export function listOf<S extends z.ZodType>(item: S, max?: number): Param<z.output<S>[], z.input<S>[], false>;
export function listOf(item: AnyParam | z.ZodType, max = MAX_ITEMS): unknown {
  return json(z.array(item instanceof Param ? item.schema : item).max(max));
}

/**
 * A value that clients send as JSON or as plain text: `to` can be `general`, `"general"`, `5` or `["a@b.c"]`. JSON wins if
 * the schema accepts it.
 */
export function rawOrJson<S extends z.ZodType>(schema: S): Param<z.output<S>, z.input<S>, false> {
  return new Param<z.output<S>, z.input<S>, false>({
    travels: "either",
    schema,
    decode: (raw, name) => {
      const value = jsonValue(raw, name);
      if (value !== NotJson) {
        const parsed = schema.safeParse(value);
        if (parsed.success) return parsed.data;
      }
      const parsed = schema.safeParse(cleanText(raw, name));
      if (parsed.success) return parsed.data;
      return accept(schema, value === NotJson ? raw : value, name);
    },
  });
}

const NotJson = Symbol("not JSON");

// A failing JSON.parse costs more than the rest of a request, and `to=general` is the usual way to send.
const LIKE_JSON = /^\s*(?:["[{]|(?:-?\d[\d.eE+-]*|true|false|null)\s*$)/;

function jsonValue(raw: string, name: string): unknown {
  if (!LIKE_JSON.test(raw)) return NotJson;
  const bounds = jsonBounds(raw, MAX_ITEMS);
  if (bounds === "too many items") throw tooManyItems(name, MAX_ITEMS);
  if (bounds !== "fits")
    throw refusedParameter(name, "json_too_complex", { count: MAX_JSON_VALUES, depth: MAX_JSON_DEPTH });
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return NotJson;
  }
  // A text below the size of jsonBounds can have too many items.
  if (Array.isArray(value) && value.length > MAX_ITEMS) throw tooManyItems(name, MAX_ITEMS);
  // Text in UTF-8 has no lone surrogates, so only an escape can contain one.
  if (raw.includes("\\u")) assertStorable(value, name);
  return value;
}

export const tooManyItems = (name: string, max: number): ApiError =>
  refusedParameter(name, "too_many_items", { count: max });

/** SQLite ends text at NUL and cannot store half a surrogate pair. */
function cleanText(raw: string, name: string): string {
  if (raw.includes("\0")) throw refusedParameter(name, "contains_null_character");
  return raw;
}

function assertStorable(value: unknown, name: string): void {
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === "string") {
      if (next.includes("\0")) throw refusedParameter(name, "contains_null_character");
      if (!next.isWellFormed()) throw refusedParameter(name, "unpaired_surrogate");
    } else if (typeof next === "object" && next !== null) {
      for (const [key, inner] of Object.entries(next)) rest.push(key, inner);
    }
  }
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether a text has more than `limit` Unicode code points. */
export function isLonger(value: string, limit: number): boolean {
  if (value.length <= limit) return false;
  if (value.length > 2 * limit) return true;
  let count = 0;
  for (const _ of value) if (++count > limit) return true;
  return false;
}

function accept(schema: z.ZodType, value: unknown, name: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ApiError("BAD_REQUEST", issueProblem(parsed.error.issues[0] as z.core.$ZodIssue, value, name), {
    var_name: name,
  });
}

/** A zod issue as a problem. Its parameter is a path: `subscriptions[0].name`. */
export function issueProblem(issue: z.core.$ZodIssue, root: unknown, name: string): Problem {
  let parameter = name;
  let value = root;
  for (const step of issue.path) {
    parameter += typeof step === "number" ? `[${step}]` : `.${shortened(String(step))}`;
    value = (value as Record<PropertyKey, unknown> | undefined)?.[step];
  }
  const count = "maximum" in issue ? Number(issue.maximum) : "minimum" in issue ? Number(issue.minimum) : 0;
  switch (issue.code) {
    case "invalid_type":
      return value === undefined ? problem("field_missing", { parameter }) : typeProblem(parameter, [issue.expected]);
    case "invalid_value":
      return issue.values.length === 1
        ? problem("wrong_value", { parameter, value: JSON.stringify(issue.values[0]) })
        : problem("value_not_allowed", { parameter, values: issue.values.map(String).join(", ") });
    case "too_big":
      if (issue.origin === "number") return problem("number_too_large", { parameter, max: count });
      return issue.origin === "string"
        ? problem("too_long", { parameter, count, length: codePoints(value as string) })
        : problem("too_many_items", { parameter, count });
    case "too_small":
      if (issue.origin === "number") return problem("number_too_small", { parameter, min: count });
      return problem(issue.origin === "string" ? "too_short" : "too_few_items", { parameter, count });
    case "unrecognized_keys":
      return problem("unknown_field", { parameter, field: shortened(issue.keys.join(", ")) });
    case "invalid_union": {
      // The client probably meant the alternative that matched furthest.
      const furthest = issue.errors
        .flat()
        .reduce<z.core.$ZodIssue | undefined>(
          (best, next) => (next.path.length > (best?.path.length ?? 0) ? next : best),
          undefined,
        );
      if (furthest) return issueProblem(furthest, value, parameter);
      const tooBig = issue.errors.flat().find(({ code }) => code === "too_big");
      if (tooBig) return issueProblem(tooBig, value, parameter);
      if (value === undefined) return problem("field_missing", { parameter });
      const expected = issue.errors.flat().map((each) => (each.code === "invalid_type" ? each.expected : undefined));
      return expected.length > 0 && expected.every((each) => each !== undefined)
        ? typeProblem(parameter, expected)
        : problem("invalid_value", { parameter });
    }
    case "custom": {
      const { reason, params } = (issue.params ?? problem("invalid_value", { parameter })) as Problem;
      const length = reason === "too_long" ? { length: codePoints(value as string) } : {};
      return { reason, params: { parameter, ...length, ...params } };
    }
    default:
      return problem("invalid_value", { parameter });
  }
}

const TYPES = {
  string: "not_text",
  int: "not_integer",
  number: "not_number",
  boolean: "not_boolean",
  array: "not_list",
  tuple: "not_list",
  object: "not_object",
  record: "not_object",
  null: "not_null",
} as const;

function typeProblem(parameter: string, expected: readonly string[]): Problem {
  const reasons = new Set(expected.map((type) => TYPES[type as keyof typeof TYPES] ?? "invalid_value"));
  const [reason, ...others] = reasons;
  if (reason && others.length === 0) return problem(reason, { parameter });
  return problem("wrong_type", { parameter, types: expected.map((type) => WORDS[type] ?? type).join(" or ") });
}

const WORDS: Record<string, string> = {
  string: "text",
  int: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

/** Reads the parameters of an endpoint from its requests. */
export class ParamReader {
  readonly #params: readonly { name: string; param: AnyParam; pathIndex: number }[];
  /** The values without any field. Copying this object is faster than adding values one by one. */
  readonly #fallbacks: Readonly<Record<string, unknown>>;
  readonly #names = new Set<string>();
  /** Whether some parameters are in the path. */
  readonly readsPath: boolean;

  /** `pathNames`: the names in the route, in order. These parameters are only read from the path. */
  constructor(params: Readonly<Record<string, AnyParam>>, pathNames: readonly string[]) {
    this.#params = Object.entries(params).map(([name, param]) => ({ name, param, pathIndex: pathNames.indexOf(name) }));
    this.#fallbacks = Object.fromEntries(this.#params.map(({ name, param }) => [name, param.fallback]));
    this.readsPath = pathNames.length > 0;
    for (const name of pathNames) if (!params[name]) throw new Error(`The route's {${name}} is not among its params.`);
    for (const { name, param, pathIndex } of this.#params) {
      if (pathIndex >= 0) continue;
      for (const accepted of [name, ...param.aliases]) {
        if (this.#names.has(accepted)) throw new Error(`Two parameters are called ${accepted}.`);
        this.#names.add(accepted);
      }
    }
  }

  /** @throws ApiError that names the parameter: REQUEST_VARIABLE_MISSING, REQUEST_CONFUSING_VAR, BAD_REQUEST. */
  read(fields: Fields, pathValues: readonly string[]): Record<string, unknown> {
    const values = { ...this.#fallbacks };
    for (const { name, param, pathIndex } of this.#params) {
      if (pathIndex >= 0) {
        values[name] = param.decode(pathValues[pathIndex] as string, name);
        continue;
      }
      let raw = fields.get(name);
      let sentAs = name;
      for (const alias of param.aliases) {
        const other = fields.get(alias);
        if (other === undefined) continue;
        if (raw !== undefined) {
          throw new ApiError("REQUEST_CONFUSING_VAR", problem("conflicting_parameters", { parameter: sentAs, alias }), {
            var_name1: sentAs,
            var_name2: alias,
          });
        }
        raw = other;
        sentAs = alias;
      }
      if (raw !== undefined) values[name] = param.decode(raw, sentAs);
      else if (param.required) throw missingParameter(name);
    }
    return values;
  }

  /** Names of fields that the endpoint does not read, in the order sent; undefined without any. */
  ignored(fields: Fields): string[] | undefined {
    let ignored: string[] | undefined;
    for (const name of fields.keys()) {
      if (this.#names.has(name)) continue;
      ignored ??= [];
      ignored.push(name);
    }
    return ignored;
  }
}
