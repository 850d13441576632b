import type { InlinePicture, Media } from "../markdown/context.ts";
import { organizationSetting } from "../queries/organization.ts";
import { contentTypeOf, type Picture, pictureByPath, THUMBNAIL_FORMATS, thumbnailsOf } from "../queries/pictures.ts";
import type { User } from "../queries/users.ts";
import type { Reader } from "../storage/transaction.ts";

/** What a message of this sender shows of an upload, by the path of a link to it; undefined: the link alone. */
export function mediaToShow(reader: Reader, _sender: User, path: string): Media | undefined {
  if (!organizationSetting(reader, "inline_image_preview")) return undefined;
  const picture = pictureByPath(reader, path);
  return picture && inlinePicture(reader, picture);
}

/** A picture as messages show it; undefined where it cannot be shown. */
export function inlinePicture(reader: Reader, picture: Picture): InlinePicture | undefined {
  if (picture.state === "failed") return undefined;
  const { width, height, format, frames } = picture;
  const made = picture.state === "ready" ? thumbnailsOf(reader, picture.id) : new Map();
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
