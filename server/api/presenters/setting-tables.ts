import { z } from "zod";
import { OPERATOR_SETTING_SECTIONS } from "../queries/operator-settings.ts";
import { ORGANIZATION_SETTING_SECTIONS } from "../queries/organization-settings.ts";
import { ORGANIZATION_GROUP_SETTING_SECTIONS, type PermissionSetting } from "../queries/permission-settings.ts";
import { CONTROLS, type Control, SHOWN } from "../queries/setting-sections.ts";
import { OWN_SETTING_GROUPS, USER_SETTING_SECTIONS, USER_SETTINGS } from "../queries/user-settings.ts";

const shownSetting = z.object({
  name: z.string().describe("Name in the API, and key of its texts."),
  control: z.enum(CONTROLS),
  initial: z.unknown().describe("Default value. For a group: the name of a system group."),
  values: z
    .array(z.union([z.string(), z.int()]))
    .optional()
    .describe("Choices, in order."),
  min: z.int().optional(),
  max: z.int().optional(),
  max_length: z.int().optional().describe("In Unicode code points."),
  owners_only: z.boolean().describe("Whether only owners can change it."),
});
type ShownSetting = z.output<typeof shownSetting>;

const sections = z.array(z.object({ section: z.string(), settings: z.array(shownSetting) }));

export const settingTablesShape = z.object({
  organization: sections,
  permissions: sections.describe("Permissions of the organization."),
  new_members: sections.describe("Defaults for people who join later."),
  own: sections.describe("User settings on the chat page."),
  operator: sections,
});
export type SettingTables = z.output<typeof settingTablesShape>;

interface Row {
  readonly allowed: z.ZodType;
  readonly initial: unknown;
  readonly changedBy?: string;
}

/** @throws Error if a setting's control cannot be derived from its allowed values, and `SHOWN` does not name it */
function shown(name: string, { allowed, initial, changedBy }: Row): ShownSetting {
  const given = SHOWN.get(allowed) ?? {};
  const schema = z.toJSONSchema(allowed, { io: "input", unrepresentable: "any" });
  const number = schema.anyOf?.find((one) => typeof one === "object" && one.type === "integer") ?? schema;
  const { minimum, maximum } = number as typeof schema;
  const min = given.min ?? (minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum);
  const max = given.max ?? (maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum);
  const control = given.control ?? controlOf(schema);
  if (control === undefined) throw new Error(`${name}: name its control in SHOWN.`);
  const isRange = control === "choice" && schema.enum === undefined && min !== undefined && max !== undefined;
  const values = isRange ? Array.from({ length: max - min + 1 }, (_, step) => min + step) : schema.enum;
  return {
    name,
    control,
    initial,
    ...(values && { values: values as (string | number)[] }),
    ...(min !== undefined && !isRange && { min }),
    ...(max !== undefined && !isRange && { max }),
    ...(given.max_length !== undefined && { max_length: given.max_length }),
    owners_only: changedBy === "owner",
  };
}

function controlOf(schema: z.core.JSONSchema.BaseSchema): Control | undefined {
  if (schema.type === "boolean") return "switch";
  if (schema.enum) return "choice";
  if (schema.type === "integer") return "number";
  if (schema.type === "array") return "names";
  return schema.anyOf ? "limit" : undefined;
}

const sectionsOf = <T>(table: Readonly<Record<string, Readonly<Record<string, T>>>>, row: (setting: T) => Row) =>
  Object.entries(table)
    .filter(([section]) => section !== "elsewhere")
    .map(([section, settings]) => ({
      section,
      settings: Object.entries(settings).map(([name, setting]) => shown(name, row(setting))),
    }));

const permission = (name: string, { initial, ownerOnly }: PermissionSetting): ShownSetting => ({
  name,
  control: "group",
  initial,
  owners_only: ownerOnly,
});

let tables: SettingTables | undefined;

/** The metadata that the pages need about the settings in queries/. It is the same for each caller. */
export const settingTables = (): SettingTables =>
  (tables ??= {
    organization: sectionsOf<Row>(ORGANIZATION_SETTING_SECTIONS, (row) => row),
    permissions: Object.entries(ORGANIZATION_GROUP_SETTING_SECTIONS).map(([section, settings]) => ({
      section,
      settings: Object.entries(settings).map(([name, setting]) => permission(name, setting)),
    })),
    new_members: sectionsOf<Row & { allowedDefault: z.ZodType }>(
      USER_SETTING_SECTIONS,
      ({ allowedDefault, initial }) => ({
        allowed: allowedDefault,
        initial,
      }),
    ),
    own: Object.entries(OWN_SETTING_GROUPS).map(([section, names]) => ({
      section,
      settings: names.map((name) => shown(name, USER_SETTINGS[name])),
    })),
    operator: sectionsOf<Row>(OPERATOR_SETTING_SECTIONS, (row) => row),
  });
