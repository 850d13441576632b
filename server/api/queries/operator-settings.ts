import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { z } from "zod";
import { because } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { SHOWN, settingsOf } from "./setting-sections.ts";

/** A hostname at which clients can reach the server. */
export const validHostname = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[\p{L}\p{N}_](?:[\p{L}\p{N}._-]{0,252}[\p{L}\p{N}_])?$/u, "not a host name");

/** A host with an optional port, or a network. */
export const webhookHost = z
  .string()
  .trim()
  .toLowerCase()
  .max(300)
  .regex(/^[\p{L}\p{N}_.:[\]/-]+$/u, "not a host, address or network");

/** The IP address or network of reverse proxies. */
export const trustedProxy = z
  .string()
  .trim()
  .toLowerCase()
  .refine((text) => {
    const [, address = "", bits] = /^([\d.]+|[\da-f:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const family = isIP(address);
    return family !== 0 && !address.startsWith("::ffff:") && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
  }, because("not_ip_or_network"));

/** Log levels, least verbose first. Each level includes those before it. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The absolute path of a folder on the server's machine. */
export const backupFolder = z
  .string()
  .trim()
  .max(1000)
  .refine((path) => isAbsolute(path), because("not_absolute_folder_path"));

/** The mode of connections from other machines; with certificate files, their absolute paths. */
const certificateFile = z
  .string()
  .trim()
  .max(1000)
  .refine((path) => isAbsolute(path), because("not_absolute_file_path"));
export const httpsSetting = z.discriminatedUnion("use", [
  z.strictObject({ use: z.literal("off") }),
  z.strictObject({ use: z.literal("local authority") }),
  z.strictObject({ use: z.literal("files"), certificate: certificateFile, key: certificateFile }),
]);
export type HttpsSetting = z.output<typeof httpsSetting>;

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^\P{Cc}*$/u, "contains control characters");

export const SMTP_SECURITY = ["tls", "starttls", "none"] as const;

/** The mail server. Its password is stored separately: `smtpPassword` of mails.ts. */
export const smtpSetting = z
  .strictObject({
    host: z
      .string()
      .trim()
      .toLowerCase()
      .refine((host) => isIP(host) > 0 || validHostname.safeParse(host).success, {
        error: "not a host name",
      }),
    port: z.int().min(1).max(65_535),
    security: z.enum(SMTP_SECURITY).describe("`tls` from the start, `starttls` required, or `none`"),
    accept_plaintext: z
      .boolean()
      .default(false)
      .describe("required for `none`, unless the mail server is on this machine"),
    user: line(200).min(1).nullable().describe("null: without a sign-in"),
    from_address: line(254).regex(
      /^[^\s<>@"(),:;\\[\]]+@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u,
      "not an email address",
    ),
    from_name: line(100).default("").describe("empty: the organization's name"),
  })
  .refine(
    ({ host, security, accept_plaintext }) => security !== "none" || accept_plaintext || isLoopbackHost(host),
    because("smtp_plaintext"),
  );
export type SmtpSetting = z.output<typeof smtpSetting>;

const isLoopbackHost = (host: string): boolean => host === "localhost" || host === "::1" || /^127\.[\d.]+$/.test(host);

/** The URL of this server, without a path. */
export const publicUrl = z
  .string()
  .trim()
  .max(300)
  .overwrite((text) => text.replace(/\/+$/, ""))
  .refine((text) => /^https?:\/\/[^/\s?#@\\]+$/i.test(text) && URL.canParse(text), because("not_server_url"));

/** `[seconds, max]`: at most `max` requests, or bytes, in that number of seconds. */
const MAX_SECONDS = 86_400;
const rules = z.array(z.tuple([z.int().min(1).max(MAX_SECONDS), z.int().min(1)])).min(1);
/** By counted quantity: docs/protocol.md#rate-limits. */
export const rateLimits = z.strictObject({
  api_by_user: rules,
  api_by_ip: rules,
  authenticate_by_username: rules,
  authenticate_by_ip: rules,
  /** Added later than the others, so older stored settings do not have it. */
  stored_bytes_by_user: rules.default([[3600, 50_000_000]]),
});
const RATE_LIMITS: z.output<typeof rateLimits> = {
  api_by_user: [[60, 200]],
  api_by_ip: [[60, 100]],
  authenticate_by_username: [[1800, 5]],
  authenticate_by_ip: [[1800, 30]],
  stored_bytes_by_user: [[3600, 50_000_000]],
};

/** Parsers for environment variables. */
const separated = (text: string) => text.split(",").filter((name) => name.trim() !== "");
const parsed = (text: string) => JSON.parse(text.toLowerCase());

const setting = <T>(allowed: z.ZodType<T>, initial: NoInfer<T>, fromText: (text: string) => unknown) => ({
  allowed,
  initial,
  fromText,
});

/**
 * Settings for the server's operator, not for the organization. A row of host_settings (JSON) overrides `initial`; an
 * environment variable with the same name overrides both. The sections are those of the Network page, in order.
 */
export const OPERATOR_SETTING_SECTIONS = {
  names: {
    MDNS: setting(
      z
        .boolean()
        .describe("whether a server that is open to its network announces [its name](#found-in-the-network) there"),
      true,
      parsed,
    ),
    ALLOWED_HOSTS: setting(
      z
        .array(validHostname)
        .describe(
          "additional hostnames at which clients can reach the server, besides IP addresses and the machine's own names; separated by commas in the environment",
        ),
      [],
      separated,
    ),
    TRUSTED_PROXIES: setting(
      z
        .array(trustedProxy)
        .describe(
          "IP addresses and networks (`127.0.0.1`, `::1`, `10.0.0.0/8`) of [reverse proxies](#behind-a-reverse-proxy) whose headers count; separated by commas in the environment",
        ),
      [],
      separated,
    ),
  },
  webhooks: {
    WEBHOOK_ALLOWED_HOSTS: setting(
      z
        .array(webhookHost)
        .describe(
          "internal hosts, IP addresses and networks, with or without a port (`127.0.0.1:9000`, `10.0.0.0/8`), that everyone's [outgoing webhooks](#outgoing-webhooks) may reach; a network does not include the server's own addresses; separated by commas in the environment",
        ),
      [],
      separated,
    ),
  },
  push: {
    WEB_PUSH: setting(
      z
        .boolean()
        .describe(
          "whether browsers get notifications while Hearth is closed: [Web Push](#web-push), encrypted, through the push services of the browsers' makers",
        ),
      false,
      parsed,
    ),
  },
  limits: {
    RATE_LIMITS: setting(
      rateLimits
        .describe("JSON: [rate limits](#rate-limits)")
        .register(SHOWN, { control: "rate limits", max: MAX_SECONDS }),
      RATE_LIMITS,
      (text) => ({ ...RATE_LIMITS, ...JSON.parse(text) }),
    ),
    MAX_FILE_UPLOAD_SIZE_MIB: setting(
      z.int().min(1).max(1_000_000).describe("maximum size of an uploaded file, in MiB"),
      100,
      Number,
    ),
    UPLOAD_QUOTA_MIB: setting(
      z
        .int()
        .min(0)
        .max(1_000_000_000)
        .nullable()
        .describe(
          "maximum size of all [uploads](#uploads) together, in MiB; `null` for no limit, in the environment too",
        ),
      null,
      parsed,
    ),
    INVITATION_LINK_VALIDITY_MINUTES: setting(
      z
        .int()
        .min(1)
        .describe("lifetime of an invitation link in minutes, if its creator sets none")
        .register(SHOWN, { control: "minutes" }),
      14_400,
      Number,
    ),
  },
  web: {
    WEB_PUBLIC_STREAMS_ENABLED: setting(
      z.boolean().describe("whether channels can be opened to readers without an account"),
      false,
      parsed,
    ),
  },
  elsewhere: {
    ORGANIZATION_DEACTIVATED: setting(
      z
        .boolean()
        .describe(
          "no one can sign in, and all data stays; `POST /realm/deactivate` sets it, and only the operator can clear it",
        ),
      false,
      parsed,
    ),
    LOG_LEVEL: setting<LogLevel>(
      z
        .enum(LOG_LEVELS)
        .describe(
          "minimum level of the [server's own log](architecture.md#the-servers-own-log): `error`, `warn`, `info` or `debug`, which adds each response",
        ),
      "info",
      (text) => text.toLowerCase(),
    ),
    BACKUPS_DAILY: setting(
      z.boolean().describe("whether the server creates a [backup](#backups) each day"),
      true,
      parsed,
    ),
    BACKUP_FOLDER: setting<string | null>(
      backupFolder
        .nullable()
        .describe("the absolute path of a folder on the server's machine; `null` for `backups/` in the data folder"),
      null,
      (text) => text,
    ),
    HTTPS: setting<HttpsSetting>(
      httpsSetting.describe(
        'how [other machines connect](#https): `{"use": "local authority"}`, or `{"use": "files", "certificate": …, "key": …}` with the absolute paths of two PEM files; in the environment also `off` or `local authority` alone',
      ),
      { use: "off" },
      (text) => (text.startsWith("{") ? JSON.parse(text) : { use: text.toLowerCase() }),
    ),
    SMTP: setting<SmtpSetting | null>(
      smtpSetting
        .nullable()
        .describe(
          'the [mail server](#email): `{"host": …, "port": …, "security": …, "user": …, "from_address": …}`; `null` sends no email; the environment variable `SMTP_PASSWORD` has its password',
        ),
      null,
      (text) => JSON.parse(text),
    ),
    PUBLIC_URL: setting<string | null>(
      publicUrl
        .nullable()
        .describe(
          "the URL at which people reach this server (`https://chat.example.com`), for links in mails; `null`: its address in the network",
        ),
      null,
      (text) => text,
    ),
  },
};
export const OPERATOR_SETTINGS = settingsOf(OPERATOR_SETTING_SECTIONS);
export type OperatorSettingName = keyof typeof OPERATOR_SETTINGS;
export type OperatorSettings = { [Name in OperatorSettingName]: (typeof OPERATOR_SETTINGS)[Name]["initial"] };
export const OPERATOR_SETTING_NAMES = Object.keys(OPERATOR_SETTINGS) as OperatorSettingName[];

/** The value from the environment, or undefined. @throws Error that names an invalid variable */
function fromEnvironment(name: OperatorSettingName): unknown {
  const text = process.env[name];
  if (text === undefined || text === "") return undefined;
  try {
    return OPERATOR_SETTINGS[name].allowed.parse(OPERATOR_SETTINGS[name].fromText(text));
  } catch (cause) {
    throw new Error(`The environment variable ${name} cannot be read: ${text}`, { cause });
  }
}

export const isSetByEnvironment = (name: OperatorSettingName): boolean => fromEnvironment(name) !== undefined;

/**
 * All effective settings. Every request needs some, so the environment is only read once and again after each change.
 */
export const operatorSettings = (reader: Reader): OperatorSettings =>
  reader.derived("host settings", ["host_settings"], (rows) => {
    const stored = new Map(
      rows
        .all<{ name: string; value: string }>("SELECT name, value FROM host_settings")
        .map(({ name, value }) => [name, JSON.parse(value) as unknown]),
    );
    return Object.fromEntries(
      OPERATOR_SETTING_NAMES.map((name) => [
        name,
        fromEnvironment(name) ?? stored.get(name) ?? OPERATOR_SETTINGS[name].initial,
      ]),
    ) as OperatorSettings;
  });

export const operatorSetting = <Name extends OperatorSettingName>(reader: Reader, name: Name): OperatorSettings[Name] =>
  operatorSettings(reader)[name];
