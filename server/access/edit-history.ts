import { organizationSetting } from "../queries/organization.ts";
import type { Reader } from "../storage/transaction.ts";

export const policyOf = (reader: Reader) => organizationSetting(reader, "message_edit_history_visibility_policy");

/** Whether people of this organization may see how messages were before. */
export const isHistoryShown = (reader: Reader): boolean => policyOf(reader) !== "none";
