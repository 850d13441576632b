import { readFileSync } from "node:fs";
import { z } from "zod";
import { clientCapabilities } from "../../server/api/presenters/client-capabilities.ts";
import type { Fields, RegisterPart } from "../../server/api/presenters/register-part.ts";
import { registerParts } from "../../server/api/presenters/register-parts.ts";
import { OPERATOR_SETTINGS } from "../../server/api/queries/operator-settings.ts";
import { ORGANIZATION_SETTINGS } from "../../server/api/queries/organization-settings.ts";
import {
  CHANNEL_GROUP_SETTINGS,
  ORGANIZATION_GROUP_SETTINGS,
  type PermissionSetting,
  USER_GROUP_GROUP_SETTINGS,
} from "../../server/api/queries/permission-settings.ts";
import { USER_SETTING_DEFAULTS, USER_SETTINGS } from "../../server/api/queries/user-settings.ts";

/**
 * The tables of docs/protocol.md that repeat declarations. `npm run docs` writes them, and `npm run check` compares.
 */
export const protocolTables: Readonly<Record<string, () => string>> = {
  "organization settings": () =>
    table(
      ["Setting", "Default", "Changed by", "Takes"],
      Object.entries(ORGANIZATION_SETTINGS)
        .filter(([name]) => name !== "email_host") // not on the wire
        .map(([name, { initial, changedBy, allowed }]) => [code(name), json(initial), changedBy, words(allowed)]),
    ),
  "user settings": () =>
    table(
      ["Setting", "Default", "Takes", ""],
      Object.entries(USER_SETTINGS).map(([name, { initial, allowed, legacy }]) => [
        code(name),
        json(initial),
        [name in USER_SETTING_DEFAULTS ? "" : "personal", words(allowed)].filter(Boolean).join("; "),
        legacy === "update_display_settings" ? "D" : legacy ? "N" : "",
      ]),
    ),
  "operator settings": () =>
    table(
      ["Setting", "Default", "Takes"],
      Object.entries(OPERATOR_SETTINGS).map(([name, { initial, allowed }]) => [
        code(name),
        name === "RATE_LIMITS" ? "" : json(initial),
        words(allowed),
      ]),
    ),
  "organization permissions": () => permissions(ORGANIZATION_GROUP_SETTINGS),
  "channel permissions": () => permissions(CHANNEL_GROUP_SETTINGS),
  "user group permissions": () => permissions(USER_GROUP_GROUP_SETTINGS),
  "client capabilities": () =>
    table(
      ["Capability", "With it"],
      Object.entries(clientCapabilities).map(([name, { effect }]) => [code(name), effect]),
    ),
  "event types": eventTypes,
  "register parts": () =>
    table(
      ["Part", "Fields"],
      Object.entries<RegisterPart<Fields, Fields>>(registerParts).map(([name, { fields }]) => [
        code(name),
        partFields(name, Object.keys(fields)),
      ]),
    ),
};

const code = (text: string): string => `\`${text}\``;
const json = (value: unknown): string => (JSON.stringify(value).length > 40 ? "a text" : code(JSON.stringify(value)));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n").replace(/\| {2}(?=\|)/g, "| ");
}

/** The allowed values as text: the schema's description, or a text for its form. */
function words(allowed: z.ZodType): string {
  if (allowed.description !== undefined) return allowed.description;
  const schema = z.toJSONSchema(allowed, { io: "input", unrepresentable: "any" });
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  if (values.length > 0) return values.map((value) => code(String(value))).join(", ");
  if (schema.type !== "integer") return "";
  const isBounded = (schema.maximum ?? Number.MAX_SAFE_INTEGER) < Number.MAX_SAFE_INTEGER;
  return isBounded ? `${schema.minimum} to ${schema.maximum}` : `at least ${schema.minimum}`;
}

function permissions(settings: Readonly<Record<string, PermissionSetting>>): string {
  const groups = (names: readonly string[]) => names.map(code).join(", ");
  return table(
    ["Setting", "Default", "Restriction"],
    Object.entries(settings).map(([name, { initial, forbidden, onlySystemGroups, ownerOnly }]) => {
      const refused = forbidden.filter((group) => group !== "role:internet");
      const rule =
        onlySystemGroups.length > 0
          ? `only ${groups(onlySystemGroups)}`
          : refused.length > 0
            ? `not ${groups(refused)}`
            : "";
      return [code(name), code(initial), [rule, ownerOnly ? "changed by owners" : ""].filter(Boolean).join("; ")];
    }),
  );
}

/** Excludes the settings and permissions, which have their own tables. */
function partFields(part: string, fields: readonly string[]): string {
  const settings = { ...ORGANIZATION_SETTINGS, ...ORGANIZATION_GROUP_SETTINGS, ...USER_SETTINGS };
  const isSetting = (field: string) => Object.hasOwn(settings, field.replace(/^realm_/, ""));
  const others = fields.filter((field) => part === "realm_user" || !isSetting(field)).map(code);
  const left = fields.length - others.length;
  return [...(left > 0 ? [`${left} settings`] : []), ...others].join(", ");
}

const CATALOGUE = new URL("../../server/events/catalogue.ts", import.meta.url);

/** Read from the source, since events are declared as types: the name, operations and doc comment. */
function eventTypes(): string {
  const [, declarations = ""] =
    /export interface Events \{\n([\s\S]*?)\n\}\n/.exec(readFileSync(CATALOGUE, "utf8")) ?? [];
  const events = [
    ...declarations.matchAll(
      /^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+):([\s\S]*?)(?=^ {2}(?:\/\*\*|\w+:)|(?![\s\S]))/gm,
    ),
  ];
  const names = [...declarations.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
  const undocumented = names.filter((name) => !events.some(([, , documented]) => documented === name));
  if (undocumented.length > 0)
    throw new Error(`server/events/catalogue.ts does not say when these are sent: ${undocumented.join(", ")}`);
  return table(
    ["Type", "`op`", "When it is sent"],
    events
      .map(([, comment = "", name = "", shape = ""]) => ({
        name,
        when: comment
          .replace(/\n\s*\*/g, "")
          .replace(/\s+/g, " ")
          .trim(),
        ops: [...shape.matchAll(/\bop: ((?:"\w+"(?: \| )?)+)/g)].flatMap(([, ops = ""]) => ops.match(/\w+/g) ?? []),
      }))
      .filter(({ when }) => !when.startsWith("Never sent"))
      .map(({ name, when, ops }) => [code(name), ops.map(code).join(", "), when]),
  );
}

const MARKED = /<!-- table: ([\w ]+) -->\n[\s\S]*?<!-- \/table -->/g;

export const withTables = (page: string): string =>
  page.replace(MARKED, (_, name: string) => {
    const make = protocolTables[name];
    if (!make)
      throw new Error(`docs/protocol.md marks a table "${name}", which test/support/protocol-tables.ts does not make.`);
    return `<!-- table: ${name} -->\n${make()}\n<!-- /table -->`;
  });
