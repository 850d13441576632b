import { notFound } from "../../errors.ts";
import type { InlinePicture, Media } from "../../markdown/context.ts";
import type { StoredFile } from "../../media/files/stored-files.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type Attachment, attachmentByToken, tokenInPath } from "../queries/attachments.ts";
import { organizationSetting } from "../queries/organization.ts";
import { contentTypeOf, type Picture, pictureOf, THUMBNAIL_FORMATS, thumbnailsOf } from "../queries/pictures.ts";
import type { User } from "../queries/users.ts";
import { attachmentToRead, canRead } from "./attachments.ts";

/** `path`: the part after `/user_uploads/` in rendered HTML. */
function attachmentAt(reader: Reader, path: string): Attachment | undefined {
  const token = tokenInPath(path.replace(/[?#].*$/, ""));
  return token === undefined ? undefined : attachmentByToken(reader, token);
}

/** Does not check access. */
export function pictureAt(reader: Reader, path: string): Picture | undefined {
  const attachment = attachmentAt(reader, path);
  return attachment && pictureOf(reader, attachment.id);
}

/** The preview of an upload in a message by this sender. Undefined: only the link. */
export function mediaToShow(reader: Reader, sender: User, path: string): Media | undefined {
  if (!organizationSetting(reader, "inline_image_preview")) return undefined;
  const attachment = attachmentAt(reader, path);
  if (!attachment || !canRead(reader, sender, attachment)) return undefined;
  if (attachment.content_type.startsWith("video/")) return { kind: "video" };
  if (attachment.content_type.startsWith("audio/")) return { kind: "audio" };
  const picture = pictureOf(reader, attachment.id);
  return picture && inlinePicture(reader, picture);
}

/**
 * The thumbnail at `/user_uploads/thumbnail/<path id>/<format>`. If the picture is not animated, an animated format
 * returns the still thumbnail. Missing and unreadable thumbnails get the same error.
 */
export function thumbnailToRead(reader: Reader, viewer: User, pathId: string, format: string): StoredFile {
  const attachment = attachmentToRead(reader, viewer, pathId);
  const made = thumbnailsOf(reader, attachment.id);
  const still = THUMBNAIL_FORMATS.find(({ animated }) => !animated)?.name as string;
  const isAnimated = THUMBNAIL_FORMATS.some(({ name, animated }) => name === format && animated);
  const file = made.get(format) ?? (isAnimated ? made.get(still) : undefined);
  if (!file) throw notFound("thumbnail_not_found");
  return file;
}

/** Undefined if the picture cannot be shown. */
export function inlinePicture(reader: Reader, picture: Picture): InlinePicture | undefined {
  if (picture.state === "failed") return undefined;
  const { width, height, format, frames } = picture;
  const made = picture.state === "ready" ? thumbnailsOf(reader, picture.attachment_id) : new Map();
  const shown = THUMBNAIL_FORMATS.find(({ name }) => made.has(name));
  const transcoded = [...made.keys()].find((name) => !THUMBNAIL_FORMATS.some((one) => one.name === name));
  return {
    kind: "picture",
    contentType: contentTypeOf(format),
    dimensions: width === null || height === null ? undefined : { width, height },
    isAnimated: shown ? shown.animated : frames > 1,
    thumbnail: shown?.name,
    transcoded,
  };
}
