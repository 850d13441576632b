import { z } from "zod";
import type { App } from "../../app.ts";
import { badRequest } from "../../errors.ts";
import { CertificateRefused } from "../../host/https/certificate-files.ts";
import { boolean, integer, json, listOf, oneOf, type Param, rawOrJson } from "../../http/params.ts";
import { changeOperatorSettings } from "../actions/operator-settings.ts";
import { settingTables, settingTablesShape } from "../presenters/setting-tables.ts";
import {
  type HttpsSetting,
  isSetByEnvironment,
  OPERATOR_SETTING_NAMES,
  OPERATOR_SETTINGS,
  type OperatorSettingName,
  type OperatorSettings,
  operatorSettings,
  rateLimits,
} from "../queries/operator-settings.ts";
import { endpoint, forOwners } from "./endpoint.ts";

/** Settings of every kind, for the pages. Outside the public protocol, since its clients have tables of their own. */
export const getSettingTables = endpoint({
  route: "GET /host/setting-tables",
  summary: "List settings with their section, control, default and limits.",
  who: "guest",
  bots: false,
  outsideApi: true,
  response: settingTablesShape,
  handle: settingTables,
});

export const getOperatorSettings = endpoint({
  route: "GET /host/settings",
  summary: "Get the server's settings.",
  ...forOwners,
  response: z.object({
    settings: z.object(
      Object.fromEntries(OPERATOR_SETTING_NAMES.map((name) => [name, OPERATOR_SETTINGS[name].allowed])) as {
        [Name in OperatorSettingName]: z.ZodType<OperatorSettings[Name]>;
      },
    ),
    set_by_environment: z.array(z.string()).describe("Settings that cannot be changed here."),
  }),
  handle: ({ reader }) => ({
    settings: operatorSettings(reader),
    set_by_environment: OPERATOR_SETTING_NAMES.filter(isSetByEnvironment),
  }),
});

/** The parameter by which clients send a setting. */
function operatorParam(allowed: z.ZodType) {
  if (allowed instanceof z.ZodBoolean) return boolean();
  if (allowed instanceof z.ZodNumber)
    return integer({ min: allowed.minValue ?? undefined, max: allowed.maxValue ?? undefined });
  if (allowed instanceof z.ZodArray) return listOf(allowed.element as z.ZodType);
  if (allowed instanceof z.ZodEnum) return oneOf(...(allowed.options as string[]));
  const isText = allowed instanceof z.ZodNullable && allowed.unwrap() instanceof z.ZodString;
  return isText ? rawOrJson(allowed) : json(allowed);
}

export const patchOperatorSettings = endpoint({
  route: "PATCH /host/settings",
  summary: "Change the server's settings. Omitted settings do not change.",
  ...forOwners,
  params: {
    ...(Object.fromEntries(
      OPERATOR_SETTING_NAMES.map((name) => [name, operatorParam(OPERATOR_SETTINGS[name].allowed).optional()]),
    ) as { [Name in OperatorSettingName]: Param<OperatorSettings[Name] | undefined, OperatorSettings[Name], true> }),
    RATE_LIMITS: json(rateLimits.partial()).optional().describe("Omitted limits do not change."),
  },
  handle: async ({ viewer, params, transact, app }) => {
    if (params.HTTPS) await tryHttps(app, params.HTTPS);
    transact((tx) => changeOperatorSettings(tx, viewer, params));
    app.https.refresh();
  },
});

async function tryHttps(app: App, setting: HttpsSetting): Promise<void> {
  try {
    await app.https.try(setting);
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error;
    throw badRequest("certificate_refused", { cause: error.message }, { var_name: "HTTPS", refusal: error.problem });
  }
}
