import assert from "node:assert/strict";

/** In `{id:int,…}`, or as a field: an object can have further fields. */
const ANY_FURTHER = "…";

export type Check = (value: unknown) => boolean;

// The public server sends 10^16 for the end of all messages, which is no safe integer.
const isInt: Check = Number.isInteger;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isList = (value: unknown, item: Check) => Array.isArray(value) && value.every(item);
const SIMPLE: Record<string, Check> = {
  any: () => true,
  int: isInt,
  num: Number.isFinite,
  str: (value) => typeof value === "string",
  bool: (value) => typeof value === "boolean",
  null: (value) => value === null,
  object: isObject,
  map: isObject,
  groupSetting: (value) =>
    isInt(value) ||
    (isObject(value) && isList(value["direct_members"], isInt) && isList(value["direct_subgroups"], isInt)),
};

/** Splits at separators outside brackets. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [""];
  let depth = 0;
  for (const letter of text) {
    if ("({<".includes(letter)) depth += 1;
    if (")}>".includes(letter)) depth -= 1;
    if (letter === separator && depth === 0) parts.push("");
    else parts.push(`${parts.pop()}${letter}`);
  }
  return parts.map((part) => part.trim());
}

function checkOf(type: string): Check {
  const union = split(type, "|");
  if (union.length > 1) {
    const checks = union.map(checkOf);
    return (value) => checks.some((check) => check(value));
  }
  if (type.endsWith("[]")) {
    const item = checkOf(type.slice(0, -2));
    return (value) => isList(value, item);
  }
  const inside = type.slice(type.search(/[({<]/) + 1, -1);
  if (type.startsWith("(")) return checkOf(inside);
  if (type.startsWith("map<")) {
    const item = checkOf(inside);
    return (value) => isObject(value) && Object.values(value).every(item);
  }
  if (type.startsWith("{")) {
    const listed = split(inside, ",");
    const checks = listed
      .filter((field) => field !== ANY_FURTHER)
      .map((field) => {
        const [, name = "", optional, of = ""] = /^(\w+)(\??):(.*)$/.exec(field) ?? [];
        return { name, optional: optional === "?", check: checkOf(of) };
      });
    const names = new Set(checks.map(({ name }) => name));
    const isOpen = listed.includes(ANY_FURTHER);
    return (value) =>
      isObject(value) &&
      (isOpen || Object.keys(value).every((name) => names.has(name))) &&
      checks.every(({ name, optional, check }) => (name in value ? check(value[name]) : optional));
  }
  if (/^(str|int)\(/.test(type)) {
    const values = inside.split("|");
    return (value) => typeof value === (type.startsWith("str") ? "string" : "number") && values.includes(String(value));
  }
  const check = SIMPLE[type];
  assert.ok(check, `there is no type ${type}`);
  return check;
}

/** A field of responses, at a path such as `subscriptions[].name`. */
export interface Field {
  path: string;
  steps: string[];
  optional: boolean;
  type: string;
  check: Check;
}

/** Reads lines of `path: field type; field type`. The notation: test/support/register-contract.ts. */
export const fieldsIn = (text: string): Field[] =>
  text
    .replaceAll(/\n {6}/g, " ")
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [, parents = "", fields = ""] = /^([^:]*): (.+)$/.exec(line.trim()) ?? [];
      return split(parents, ",").flatMap((parent) =>
        split(fields, ";").map((field) => {
          const [name = "", type = ""] = split(field, " ");
          const path = (parent === "" ? name : `${parent}.${name}`).replace("?", "");
          const steps = path.match(/\[\]|\{\}|[^.[\]{}]+/g) ?? [];
          return { path, steps, optional: name.endsWith("?"), type, check: checkOf(type) };
        }),
      );
    });

/** The fields of an object, the items of a list or the values of a map. */
interface Shape {
  readonly fields: Map<string, { field: Field; shape: Shape }>;
  inner?: Shape;
}

/** A tree of the fields, for `faultsIn`. */
export function shapeOf(fields: readonly Field[]): Shape {
  const root: Shape = { fields: new Map() };
  for (const field of fields) {
    let shape = root;
    for (const [index, step] of field.steps.entries()) {
      if (step === "[]" || step === "{}") {
        shape.inner ??= { fields: new Map() };
        shape = shape.inner;
        continue;
      }
      const known = shape.fields.get(step)?.shape ?? { fields: new Map() };
      if (index === field.steps.length - 1) shape.fields.set(step, { field, shape: known });
      shape = known;
    }
  }
  return root;
}

/** Differences from the shape: missing fields, wrong types, and fields that it does not list. Calls back for each match. */
export function* faultsIn(value: unknown, shape: Shape, path = "", seen?: (field: Field) => void): Generator<string> {
  if (shape.inner && typeof value === "object" && value !== null)
    for (const item of Object.values(value)) yield* faultsIn(item, shape.inner, `${path}[]`, seen);
  if (!isObject(value) || (shape.inner && shape.fields.size === 0)) return;
  if (path !== "" && shape.fields.size === 0) return;
  const isOpen = shape.fields.has(ANY_FURTHER);
  for (const name of Object.keys(value)) if (!isOpen && !shape.fields.has(name)) yield `${path}.${name} is not listed`;
  for (const [name, { field, shape: inside }] of shape.fields) {
    const at = `${path}.${name}`;
    if (!(name in value)) {
      if (!field.optional) yield `${at} is missing`;
      continue;
    }
    seen?.(field);
    if (field.check(value[name])) yield* faultsIn(value[name], inside, at, seen);
    else yield `${at}: ${JSON.stringify(value[name])?.slice(0, 200)} is not ${field.type}`;
  }
}

/** The values at a path; undefined for a missing one. */
export function* valuesAt(value: unknown, [step, ...rest]: readonly string[]): Generator<unknown> {
  if (step === undefined) yield value;
  else if (step === "[]" || step === "{}")
    for (const item of Object.values((value ?? {}) as object)) yield* valuesAt(item, rest);
  else yield* valuesAt((value as Record<string, unknown> | undefined)?.[step], rest);
}
