import { ApiError, badRequest, notFound, problem } from "../../errors.ts";
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

/** True for the uploader, and for readers of a message that now links to the file. */
export function canRead(reader: Reader, viewer: User, attachment: Attachment): boolean {
  if (attachment.user_id === viewer.id && !isSpectator(viewer)) return true;
  const visibility = messageVisibility(reader, viewer);
  return messagesHolding(reader, attachment.id).some(({ id }) => visibility.sees(id));
}

const noSuchFile = () => notFound("file_not_found");

/** The file at `/user_uploads/<path id>`. Missing and unreadable files get the same error. */
export function attachmentToRead(reader: Reader, viewer: User, pathId: string): Attachment {
  const token = tokenInPath(pathId);
  const attachment = token === undefined ? undefined : attachmentByToken(reader, token);
  if (!attachment || !canRead(reader, viewer, attachment)) throw noSuchFile();
  return attachment;
}

/** The file of a temporary URL. The URL was given to a user who can read the file. */
export function attachmentOfToken(reader: Reader, token: string | undefined): Attachment {
  const attachment = token === undefined ? undefined : attachmentByToken(reader, token);
  if (!attachment) throw noSuchFile();
  return attachment;
}

export function attachmentToDelete(reader: Reader, viewer: User, id: number): Attachment {
  const attachment = attachmentById(reader, id);
  if (!attachment || attachment.user_id !== viewer.id) throw badRequest("attachment_not_found");
  return attachment;
}

const tooLarge = (mebibytes: number) =>
  new ApiError(
    "BAD_REQUEST",
    problem("file_too_large", { max: mebibytes }),
    {},
    { status: 413, headers: { connection: "close" } },
  );

/** Error if an upload would exceed the quota that the operator sets. */
export const quotaExceeded = () =>
  new ApiError("REALM_UPLOAD_QUOTA", problem("upload_quota_exceeded"), {}, { headers: { connection: "close" } });

export function uploadSpaceLeft(reader: Reader): number {
  const quota = operatorSetting(reader, "UPLOAD_QUOTA_MIB");
  return quota === null ? Number.POSITIVE_INFINITY : Math.max(0, quota * MIB - uploadSpaceUsed(reader));
}

export function uploadLimit(reader: Reader): SizeLimit {
  const mebibytes = operatorSetting(reader, "MAX_FILE_UPLOAD_SIZE_MIB");
  const left = uploadSpaceLeft(reader);
  return left < mebibytes * MIB
    ? { bytes: left, refusal: quotaExceeded }
    : { bytes: mebibytes * MIB, refusal: () => tooLarge(mebibytes) };
}
