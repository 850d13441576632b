import { badRequest } from "../errors.ts";
import {
  HOST_SETTING_NAMES,
  type HostSettingName,
  type HostSettings,
  hostSetting,
  isSetByEnvironment,
} from "../queries/host-settings.ts";
import { REALM_ID } from "../queries/organization.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import type { Transaction } from "../storage/transaction.ts";
import { recordAudit } from "./audit.ts";

/** What is undefined, and what RATE_LIMITS leaves out, stays as it is. */
export type HostSettingChanges = {
  [Name in Exclude<HostSettingName, "RATE_LIMITS">]?: HostSettings[Name] | undefined;
} & {
  RATE_LIMITS?:
    | { [Name in keyof HostSettings["RATE_LIMITS"]]?: HostSettings["RATE_LIMITS"][Name] | undefined }
    | undefined;
};

/** Keeps the given settings. Refused where an environment variable sets one of them, since it would not change. */
export function changeHostSettings(tx: Transaction, actor: User | null, changes: HostSettingChanges): void {
  const names = HOST_SETTING_NAMES.filter((name) => changes[name] !== undefined);
  const fixed = names.filter(isSetByEnvironment);
  if (fixed.length > 0) throw badRequest(`Set by an environment variable, which wins: ${fixed.join(", ")}.`);
  for (const name of names) {
    const before = hostSetting(tx, name);
    const after = name === "RATE_LIMITS" ? { ...hostSetting(tx, name), ...changes[name] } : changes[name];
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    tx.run(
      "INSERT INTO host_settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      name,
      JSON.stringify(after),
    );
    recordAudit(tx, actor, { action: "change host setting", target: `host setting ${name}`, before, after });
    if (name === "ORGANIZATION_DEACTIVATED" && after === true)
      tx.emit({ type: "realm", op: "deactivated", realm_id: REALM_ID }, { users: activeUserIds(tx) });
  }
}
