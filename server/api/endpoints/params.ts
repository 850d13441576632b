import { z } from "zod";
import { boolean, integer, json, listOf, oneOf, type Param, rawOrJson, text, textOf } from "../../http/params.ts";
import { messageText } from "../../markdown/render.ts";
import { MAX_MESSAGE_LENGTH } from "../queries/messages.ts";
import { groupSetting } from "../queries/permission-settings.ts";

// biome-ignore lint/suspicious/noExplicitAny: what comes in may be of any type
type Allowed = z.ZodType<unknown, any>;
type Row = { readonly allowed: Allowed };
type Settings = Readonly<Record<string, Row>>;
type SettingParams<S extends Settings, Name extends keyof S> = {
  [N in Name]: Param<z.output<S[N]["allowed"]> | undefined, z.input<S[N]["allowed"]>, true>;
};

/** Words and booleans are sent as they are. Other values may also be JSON. */
function settingParam(allowed: Allowed) {
  if (allowed instanceof z.ZodBoolean) return boolean();
  if (allowed instanceof z.ZodLiteral) return oneOf(...([...allowed.values] as (string | number)[]));
  if (allowed instanceof z.ZodEnum) return oneOf(...(allowed.options as string[]));
  if (allowed instanceof z.ZodString) return textOf(allowed);
  return rawOrJson(allowed);
}

/** An optional parameter for each setting. */
export const settingParams = <S extends Settings, Name extends keyof S & string>(
  settings: S,
  names: readonly Name[],
): SettingParams<S, Name> =>
  Object.fromEntries(
    names.map((name) => [name, settingParam((settings[name] as Row).allowed).optional()]),
  ) as SettingParams<S, Name>;

/** The text of a message as it is stored. */
export const messageContent = () => text().normalized(messageText).maxLength(MAX_MESSAGE_LENGTH);

/** Text without blanks around it. */
export const trimmedText = () => text().normalized((given) => given.trim());

const groupUpdate = z.object({ new: groupSetting, old: groupSetting.optional() });

const forEach = <Name extends string, P>(names: readonly Name[], param: () => P) =>
  Object.fromEntries(names.map((name) => [name, param()])) as Record<Name, P>;

/** Optional group settings of a new object. */
export const groupSettingParams = <Name extends string>(names: readonly Name[]) =>
  forEach(names, () => json(groupSetting).optional());

/** Optional changes of group settings. */
export const groupUpdateParams = <Name extends string>(names: readonly Name[]) =>
  forEach(names, () =>
    json(groupUpdate).optional().describe("Refused if `old` is given and differs from the current value."),
  );

export const pick = <Params, Name extends keyof Params>(params: Params, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, params[name]])) as Pick<Params, Name>;

const retention = z.union([z.int().min(1), z.enum(["realm_default", "unlimited"])]);

export const messageRetentionDays = () =>
  rawOrJson(retention).describe("Days, realm_default or unlimited; owners only.");

/** Null: the organization's retention; -1: unlimited. */
export const storedDays = (days: z.output<typeof retention>): number | null =>
  days === "realm_default" ? null : days === "unlimited" ? -1 : days;

/** People in one profile value. */
const MAX_PEOPLE = 1000;

export const givenValues = listOf(
  z.object({ id: z.int(), value: z.union([z.string(), z.array(z.int()).max(MAX_PEOPLE)]).nullable() }),
);

/** The part of a webhook log to read. */
export const logSpan = {
  since: integer({ min: 0 }).optional().describe("Milliseconds since the epoch."),
  until: integer({ min: 0 }).optional().describe("Milliseconds since the epoch."),
  before: integer({ min: 1 }).optional().describe("Only entries before this ID."),
  limit: integer({ min: 1, max: 1000 }).default(100),
};

/** `found`: up to one row more than the limit. */
export const pageOf = <T>(found: readonly T[], limit: number): { page: T[]; has_more: boolean } => ({
  page: found.slice(0, limit),
  has_more: found.length > limit,
});
