import { ApiError, badRequest, notFound } from "../../errors.ts";
import type { SizeLimit } from "../../media/files/file-being-received.ts";
import type { Reader } from "../../storage/transaction.ts";
import {
  type Attachment,
  attachmentById,
  attachmentByToken,
  messagesHolding,
  tokenInPath,
  uploadSpaceUsed,
} from "../queries/attachments.ts";
import { operatorSetting } from "../queries/operator-settings.ts";
import type { User } from "../queries/users.ts";
import { messageVisibility } from "./messages.ts";
import { isSpectator } from "./public-access.ts";

const MIB = 1 << 20;

/** Whether they uploaded the file or may read a message that holds it now. */
export function canRead(reader: Reader, viewer: User, attachment: Attachment): boolean {
  if (attachment.user_id === viewer.id && !isSpectator(viewer)) return true;
  const visibility = messageVisibility(reader, viewer);
  return messagesHolding(reader, attachment.id).some(({ id }) => visibility.sees(id));
}

const noSuchFile = () => notFound("There is no such file.");

/** The file at `/user_uploads/<path id>`. The same error for one that the viewer may not read and for none. */
export function attachmentToRead(reader: Reader, viewer: User, pathId: string): Attachment {
  const token = tokenInPath(pathId);
  const attachment = token === undefined ? undefined : attachmentByToken(reader, token);
  if (!attachment || !canRead(reader, viewer, attachment)) throw noSuchFile();
  return attachment;
}

/** The file of a temporary address, which was given to somebody who may read it. */
export function attachmentOfToken(reader: Reader, token: string | undefined): Attachment {
  const attachment = token === undefined ? undefined : attachmentByToken(reader, token);
  if (!attachment) throw noSuchFile();
  return attachment;
}

/** One's own. */
export function attachmentToDelete(reader: Reader, viewer: User, id: number): Attachment {
  const attachment = attachmentById(reader, id);
  if (!attachment || attachment.user_id !== viewer.id) throw badRequest("Invalid attachment");
  return attachment;
}

const tooLarge = (mebibytes: number) =>
  new ApiError(
    "BAD_REQUEST",
    `The file is larger than this server allows: at most ${mebibytes} MiB.`,
    {},
    { status: 413, headers: { connection: "close" } },
  );

/** The whole organization's uploads would be more than its operator allows. */
export const quotaExceeded = () =>
  new ApiError(
    "REALM_UPLOAD_QUOTA",
    "There is no room for the file: your organization's uploads have reached their limit.",
    {},
    { headers: { connection: "close" } },
  );

/** Bytes that may still be uploaded; infinite without a quota. */
export function uploadSpaceLeft(reader: Reader): number {
  const quota = operatorSetting(reader, "UPLOAD_QUOTA_MIB");
  return quota === null ? Number.POSITIVE_INFINITY : Math.max(0, quota * MIB - uploadSpaceUsed(reader));
}

/** How large an upload may be now. */
export function uploadLimit(reader: Reader): SizeLimit {
  const mebibytes = operatorSetting(reader, "MAX_FILE_UPLOAD_SIZE_MIB");
  const left = uploadSpaceLeft(reader);
  return left < mebibytes * MIB
    ? { bytes: left, refusal: quotaExceeded }
    : { bytes: mebibytes * MIB, refusal: () => tooLarge(mebibytes) };
}
