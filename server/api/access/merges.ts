import { badRequest } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isImportRunning } from "../queries/merges.ts";
import type { User } from "../queries/users.ts";
import { unclaimedPerson, userToChange } from "./users.ts";

/** Writing an import remembers its accounts, so none can disappear. */
export function personToMerge(reader: Reader, viewer: User, id: number): User {
  const stub = unclaimedPerson(reader, viewer, id);
  if (isImportRunning(reader)) throw badRequest("import_running");
  return stub;
}

/** Only owners can merge into the account of an owner. */
export function accountToMergeInto(reader: Reader, viewer: User, id: number): User {
  const user = userToChange(reader, viewer, id);
  if (user.is_bot || !user.is_active) throw badRequest("merge_target_inactive", { name: user.full_name });
  return user;
}
