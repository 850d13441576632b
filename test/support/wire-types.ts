import assert from "node:assert/strict";

export type Check = (value: unknown) => boolean;

const isInt: Check = Number.isSafeInteger;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isList = (value: unknown, item: Check) => Array.isArray(value) && value.every(item);
const SIMPLE: Record<string, Check> = {
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
    const checks = split(inside, ",").map((field) => {
      const [name = "", of = ""] = split(field, ":");
      return { name: name.replace("?", ""), optional: name.endsWith("?"), check: checkOf(of) };
    });
    return (value) =>
      isObject(value) && checks.every(({ name, optional, check }) => (name in value ? check(value[name]) : optional));
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

/** The values at a path; undefined for a missing one. */
export function* valuesAt(value: unknown, [step, ...rest]: readonly string[]): Generator<unknown> {
  if (step === undefined) yield value;
  else if (step === "[]" || step === "{}")
    for (const item of Object.values((value ?? {}) as object)) yield* valuesAt(item, rest);
  else yield* valuesAt((value as Record<string, unknown> | undefined)?.[step], rest);
}
