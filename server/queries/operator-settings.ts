import { z } from "zod";
import type { Reader } from "../storage/transaction.ts";

/** A name by which the server may be called. */
export const validHostname = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[\p{L}\p{N}_](?:[\p{L}\p{N}._-]{0,252}[\p{L}\p{N}_])?$/u, "not a host name");

/** `[seconds, most]`: at most so many in so many seconds. */
const rules = z.array(z.tuple([z.int().min(1).max(86_400), z.int().min(1)])).min(1);
/** By what is counted (docs/protocol.md#rate-limits). */
export const rateLimits = z.strictObject({
  api_by_user: rules,
  api_by_ip: rules,
  authenticate_by_username: rules,
  authenticate_by_ip: rules,
});
const RATE_LIMITS: z.output<typeof rateLimits> = {
  api_by_user: [[60, 200]],
  api_by_ip: [[60, 100]],
  authenticate_by_username: [[1800, 5]],
  authenticate_by_ip: [[1800, 30]],
};

const setting = <T>(allowed: z.ZodType<T>, initial: NoInfer<T>, fromText: (text: string) => unknown) => ({
  allowed,
  initial,
  fromText,
});

/**
 * Settings of the server itself: the host's, not the organization's. A row of host_settings (JSON) overrides
 * `initial`; an environment variable of the same name overrides both.
 */
export const OPERATOR_SETTINGS = {
  /** Besides IP addresses and the machine's own names. */
  ALLOWED_HOSTS: setting(z.array(validHostname), [], (text) => text.split(",").filter((name) => name.trim() !== "")),
  RATE_LIMITS: setting(rateLimits, RATE_LIMITS, (text) => ({ ...RATE_LIMITS, ...JSON.parse(text) })),
  /** Of a link whose maker says nothing. */
  INVITATION_LINK_VALIDITY_MINUTES: setting(z.int().min(1), 14_400, Number),
  /** Whether everybody is kept out, all data kept: POST /realm/deactivate; only the host takes it back. */
  ORGANIZATION_DEACTIVATED: setting(z.boolean(), false, (text) => JSON.parse(text.toLowerCase())),
  /** Whether channels may be opened to the web at all. */
  WEB_PUBLIC_STREAMS_ENABLED: setting(z.boolean(), false, (text) => JSON.parse(text.toLowerCase())),
};
export type OperatorSettingName = keyof typeof OPERATOR_SETTINGS;
export type OperatorSettings = { [Name in OperatorSettingName]: (typeof OPERATOR_SETTINGS)[Name]["initial"] };
export const OPERATOR_SETTING_NAMES = Object.keys(OPERATOR_SETTINGS) as OperatorSettingName[];

/** The value that the environment gives, or undefined. @throws Error that names a variable that cannot be read */
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

/** Each request asks for some: the environment is read once, and with each change of a setting. */
export const operatorSettings = (reader: Reader): OperatorSettings =>
  reader.derived("host settings", ["host_settings"], (rows) => {
    const kept = new Map(
      rows
        .all<{ name: string; value: string }>("SELECT name, value FROM host_settings")
        .map(({ name, value }) => [name, JSON.parse(value) as unknown]),
    );
    return Object.fromEntries(
      OPERATOR_SETTING_NAMES.map((name) => [
        name,
        fromEnvironment(name) ?? kept.get(name) ?? OPERATOR_SETTINGS[name].initial,
      ]),
    ) as OperatorSettings;
  });

export const operatorSetting = <Name extends OperatorSettingName>(reader: Reader, name: Name): OperatorSettings[Name] =>
  operatorSettings(reader)[name];
