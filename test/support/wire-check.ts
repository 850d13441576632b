import assert from "node:assert/strict";
import { EVENTS, RESPONSES } from "./wire-contract.ts";
import { DIFFERENCES } from "./wire-differences.ts";
import { type Field, faultsIn, fieldsIn, shapeOf } from "./wire-types.ts";

interface Contract {
  readonly fields: readonly Field[];
  readonly shape: ReturnType<typeof shapeOf>;
}

/** By route or event. */
const contracts = new Map<string, Contract>();
const listed: Record<string, string> = { ...RESPONSES, ...EVENTS };
for (const name of new Set([...Object.keys(listed), ...Object.values(DIFFERENCES).flatMap(Object.keys)])) {
  const own = Object.values(DIFFERENCES).flatMap((lines) => lines[name] ?? []);
  const fields = [listed[name] ?? "", ...own].filter((lines) => lines !== "").flatMap(fieldsIn);
  contracts.set(name, { fields, shape: shapeOf(fields) });
}

const routes = Object.keys(RESPONSES).map((route) => {
  const [method = "", path = ""] = route.split(" ");
  const pattern = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name.endsWith("_id") ? "\\d+" : /^(?:filename|fragment)$/.test(name) ? ".+" : "[^/]+",
  );
  return { route, method, names: path.split("{").length, text: pattern, pattern: new RegExp(`^${pattern}$`) };
});
const found = new Map<string, string | undefined>();

/** The route with the fewest path parameters; with ids before others. */
function routeOf(method: string, path: string): string | undefined {
  const key = `${method} ${path}`;
  if (!found.has(key)) {
    const matching = routes.filter((one) => one.method === method && one.pattern.test(path));
    found.set(
      key,
      matching.sort((a, b) => a.names - b.names || Number(b.text.includes("\\d")) - Number(a.text.includes("\\d")))[0]
        ?.route,
    );
  }
  return found.get(key);
}

/** Routes, events, and their fields as `route path` that were checked in this process. */
export const seenOnWire = new Set<string>();

const check = (name: string, value: object): string[] => {
  const contract = contracts.get(name);
  if (!contract) return [`${name} is not listed`];
  seenOnWire.add(name);
  const seen = ({ path }: Field) => seenOnWire.add(`${name} ${path}`);
  return [...faultsIn(value, contract.shape, "", seen)].map((fault) => `${name}: ${fault}`);
};

/** Compares a response, and the events in it, with the public protocol: test/support/wire-contract.ts. */
export function assertOnWire(method: string, path: string, answer: object): void {
  const body: Record<string, unknown> = { ...answer };
  const route = routeOf(method, path);
  if (route === undefined || body["result"] !== "success") return;
  const { result: _result, msg: _msg, ignored_parameters_unsupported: _ignored, ...fields } = body;
  const faults = check(route, fields);
  if (route === "GET /events")
    for (const { id: _id, type, op, ...event } of body["events"] as Record<string, string>[])
      faults.push(...check(op === undefined ? `${type}` : `${type}/${op}`, event));
  assert.deepEqual(faults, [], "wire-contract.ts lists the fields of the public protocol");
}
