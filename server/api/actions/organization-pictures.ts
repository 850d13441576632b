import type { NewFile, StoredFile } from "../../media/files/stored-files.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { organizationPictureUrl } from "../presenters/pictures.ts";
import { type OrganizationPictureName, organizationPicture, organizationSetting } from "../queries/organization.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { deleteFile, recordFile } from "./files.ts";
import { upsertRow } from "./rows.ts";

/** Sets an uploaded icon or logo; null restores the generated one. Returns files to remove after the transaction. */
export function setOrganizationPicture(
  tx: Transaction,
  actor: User,
  name: OrganizationPictureName,
  file: NewFile | null,
): Pick<StoredFile, "kind" | "name">[] {
  const before = organizationPicture(tx, name);
  if (file === null && before.file === null) return [];
  if (file) recordFile(tx, file);
  upsertRow(tx, "organization_pictures", { name }, { version: before.version + 1, file: file?.name ?? null });
  const replaced = before.file === null ? [] : [{ kind: "organization" as const, name: before.file }];
  for (const old of replaced) deleteFile(tx, old);
  const data = {
    [`${name}_url`]: organizationPictureUrl(tx, name),
    [`${name}_source`]: organizationSetting(tx, `${name}_source`),
  };
  tx.emit({ type: "realm", op: "update_dict", property: name, data }, { users: activeUserIds(tx) });
  recordAudit(tx, actor, {
    action: "change organization picture",
    target: `organization picture ${name}`,
    before: { is_uploaded: before.file !== null },
    after: { is_uploaded: file !== null },
  });
  return replaced;
}
