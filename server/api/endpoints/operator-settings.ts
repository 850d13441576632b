import { z } from "zod";
import type { App } from "../../app.ts";
import { badRequest } from "../../errors.ts";
import { CertificateRefused } from "../../host/https/certificate-files.ts";
import { boolean, integer, json, listOf, oneOf, rawOrJson } from "../../http/params.ts";
import { changeOperatorSettings } from "../actions/operator-settings.ts";
import {
  backupFolder,
  type HttpsSetting,
  httpsSetting,
  isSetByEnvironment,
  LOG_LEVELS,
  OPERATOR_SETTING_NAMES,
  type OperatorSettingName,
  operatorSettings,
  rateLimits,
  trustedProxy,
  validHostname,
  webhookHost,
} from "../queries/operator-settings.ts";
import { endpoint, forOwners } from "./endpoint.ts";

export const getHostSettings = endpoint({
  route: "GET /host/settings",
  summary: "Get the server's settings.",
  ...forOwners,
  response: z.object({
    settings: z.object({
      ALLOWED_HOSTS: z.array(z.string()),
      RATE_LIMITS: rateLimits,
      INVITATION_LINK_VALIDITY_MINUTES: z.int(),
      ORGANIZATION_DEACTIVATED: z.boolean(),
      MAX_FILE_UPLOAD_SIZE_MIB: z.int(),
      UPLOAD_QUOTA_MIB: z.int().nullable(),
      WEBHOOK_ALLOWED_HOSTS: z.array(z.string()),
      TRUSTED_PROXIES: z.array(z.string()),
      LOG_LEVEL: z.enum(LOG_LEVELS),
      BACKUPS_DAILY: z.boolean(),
      BACKUP_FOLDER: z.string().nullable(),
      HTTPS: httpsSetting,
      MDNS: z.boolean(),
      WEB_PUBLIC_STREAMS_ENABLED: z.boolean(),
    } satisfies Record<OperatorSettingName, z.ZodType>),
    set_by_environment: z.array(z.string()).describe("Settings that cannot be changed here."),
  }),
  handle: ({ reader }) => ({
    settings: operatorSettings(reader),
    set_by_environment: OPERATOR_SETTING_NAMES.filter(isSetByEnvironment),
  }),
});

export const patchHostSettings = endpoint({
  route: "PATCH /host/settings",
  summary: "Change the server's settings. Omitted settings do not change.",
  ...forOwners,
  params: {
    ALLOWED_HOSTS: listOf(validHostname).optional(),
    RATE_LIMITS: json(rateLimits.partial()).optional().describe("Omitted limits do not change."),
    INVITATION_LINK_VALIDITY_MINUTES: integer({ min: 1 }).optional(),
    ORGANIZATION_DEACTIVATED: boolean()
      .optional()
      .describe("true allows only the operator to sign in. All data stays."),
    MAX_FILE_UPLOAD_SIZE_MIB: integer({ min: 1, max: 1_000_000 }).optional(),
    UPLOAD_QUOTA_MIB: json(z.int().min(0).max(1_000_000_000).nullable())
      .optional()
      .describe("Total size of all uploads; null for no limit."),
    WEBHOOK_ALLOWED_HOSTS: listOf(webhookHost)
      .optional()
      .describe("Hosts, addresses and networks inside the local network that webhooks can reach."),
    TRUSTED_PROXIES: listOf(trustedProxy)
      .optional()
      .describe("Addresses and networks of reverse proxies, whose forwarding headers are trusted."),
    LOG_LEVEL: oneOf(...LOG_LEVELS)
      .optional()
      .describe("Minimum level of the server's log."),
    BACKUPS_DAILY: boolean().optional(),
    BACKUP_FOLDER: rawOrJson(backupFolder.nullable())
      .optional()
      .describe("Absolute path on the server's machine; null for `backups/` in the data folder."),
    HTTPS: json(httpsSetting)
      .optional()
      .describe("How other machines connect. The setting is tested before it is stored, and applies immediately."),
    MDNS: boolean()
      .optional()
      .describe("Whether the server announces its name in the local network while other machines can connect."),
    WEB_PUBLIC_STREAMS_ENABLED: boolean().optional(),
  } satisfies Record<OperatorSettingName, unknown>,
  handle: ({ viewer, params, transact, app }) => {
    if (params.HTTPS) tryHttps(app, params.HTTPS);
    transact((tx) => changeOperatorSettings(tx, viewer, params));
    app.https.refresh();
  },
});

function tryHttps(app: App, setting: HttpsSetting): void {
  try {
    app.https.try(setting);
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error;
    throw badRequest(error.message, { var_name: "HTTPS", refusal: error.problem });
  }
}
