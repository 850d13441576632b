import { FileBytes, type ReadAt } from "./file-bytes.ts";
import { strippedHeif } from "./heif.ts";
import { strippedJpeg } from "./jpeg.ts";
import { type Piece, type Pieces, Unreadable } from "./pieces.ts";
import { strippedPng } from "./png.ts";
import { strippedWebp } from "./webp.ts";

const BY_TYPE: Readonly<Record<string, (file: FileBytes) => Promise<Pieces>>> = {
  "image/jpeg": strippedJpeg,
  "image/png": strippedPng,
  "image/webp": strippedWebp,
  "image/avif": strippedHeif,
  "image/heic": strippedHeif,
  "image/heic-sequence": strippedHeif,
  "image/heif": strippedHeif,
  "image/heif-sequence": strippedHeif,
};

/**
 * What a picture becomes without metadata: EXIF, XMP, IPTC and comments, which say where, when, by whom and with which
 * device it was taken. Orientation, color profile and every pixel stay as they are. Undefined where nothing changes.
 *
 * @throws Unreadable for a picture of a known type whose structure cannot be read.
 */
export async function withoutMetadata(
  type: string,
  { size, readAt }: { size: number; readAt: ReadAt },
): Promise<readonly Piece[] | undefined> {
  const strip = Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined;
  if (!strip) return undefined;
  try {
    const pieces = await strip(new FileBytes(size, readAt));
    return pieces.isWhole(size) ? undefined : pieces.all;
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable("It is cut short.");
    throw error;
  }
}
