import { badRequest } from "../../errors.ts";
import type { Transaction } from "../../storage/transaction.ts";
import {
  isSetByEnvironment,
  OPERATOR_SETTING_NAMES,
  type OperatorSettingName,
  type OperatorSettings,
  operatorSetting,
} from "../queries/operator-settings.ts";
import { REALM_ID } from "../queries/organization.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { startMailsAgain } from "./mails.ts";
import { upsertRow } from "./rows.ts";

/** Undefined settings do not change, and neither do limits that RATE_LIMITS omits. */
type OperatorSettingChanges = {
  [Name in Exclude<OperatorSettingName, "RATE_LIMITS">]?: OperatorSettings[Name] | undefined;
} & {
  RATE_LIMITS?:
    | { [Name in keyof OperatorSettings["RATE_LIMITS"]]?: OperatorSettings["RATE_LIMITS"][Name] | undefined }
    | undefined;
};

/** Names in events, for settings that clients know. */
const ANNOUNCED: Partial<Record<OperatorSettingName, string>> = {
  MAX_FILE_UPLOAD_SIZE_MIB: "max_file_upload_size_mib",
  UPLOAD_QUOTA_MIB: "upload_quota_mib",
};

/** Errors: BAD_REQUEST if an environment variable overrides a setting. */
export function changeOperatorSettings(tx: Transaction, actor: User | null, changes: OperatorSettingChanges): void {
  const names = OPERATOR_SETTING_NAMES.filter((name) => changes[name] !== undefined);
  const fixed = names.filter(isSetByEnvironment);
  if (fixed.length > 0) throw badRequest("set_by_environment", { names: fixed.join(", ") });
  for (const name of names) {
    const before = operatorSetting(tx, name);
    const change = name === "RATE_LIMITS" ? { ...operatorSetting(tx, name), ...changes[name] } : changes[name];
    const after = change as OperatorSettings[typeof name];
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    upsertRow(tx, "host_settings", { name }, { value: JSON.stringify(after) });
    recordAudit(tx, actor, { action: "change host setting", target: `host setting ${name}`, before, after });
    const field = ANNOUNCED[name];
    if (field)
      tx.emit(
        { type: "realm", op: "update_dict", property: "default", data: { [field]: after } },
        { users: activeUserIds(tx) },
      );
    if (name === "SMTP") announceMail(tx, before !== null, after !== null);
    if (name === "ORGANIZATION_DEACTIVATED" && after === true)
      tx.emit({ type: "realm", op: "deactivated", realm_id: REALM_ID }, { users: activeUserIds(tx) });
  }
}

function announceMail(tx: Transaction, wasOn: boolean, isOn: boolean): void {
  startMailsAgain(tx);
  if (wasOn === isOn) return;
  const data = { sends_email: isOn };
  tx.emit({ type: "realm", op: "update_dict", property: "default", data }, { users: activeUserIds(tx) });
}
