import type { App } from "../../app.ts";
import { ApiError, problem } from "../../errors.ts";
import { typeOfFile } from "../../media/file-types.ts";
import type { TemporaryFile } from "../../media/files/file-being-received.ts";
import { withoutMetadata } from "../../media/images/metadata/metadata.ts";
import { type Piece, Unreadable } from "../../media/images/metadata/pieces.ts";

const MAX_READ = 256 << 10;

/**
 * Calls `use` with a copy of the file without picture metadata, or with the file itself if there is none. The copy has
 * its own size and checksum.
 * Errors: BAD_IMAGE if the structure cannot be read, because metadata might remain.
 */
export async function stripped<T>(
  { files }: App,
  file: TemporaryFile,
  use: (file: TemporaryFile) => Promise<T>,
): Promise<T> {
  const { readAt, close } = await files.openTemporary(file);
  let other: TemporaryFile | undefined;
  try {
    const pieces = await withoutMetadata(typeOfFile(file.head), { size: file.size, readAt });
    if (pieces) other = await files.receive(contentOf(pieces, readAt), WITHIN_THE_FIRST);
  } catch (error) {
    if (error instanceof Unreadable) throw unreadable();
    throw error;
  } finally {
    await close();
  }
  if (!other) return use(file);
  try {
    return await use(other);
  } finally {
    await files.discard([other]);
  }
}

async function* contentOf(
  pieces: readonly Piece[],
  readAt: (position: number, length: number) => Promise<Buffer>,
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) yield piece;
    else
      for (let at = piece.start; at < piece.end; at += MAX_READ)
        yield await readAt(at, Math.min(MAX_READ, piece.end - at));
  }
}

/** The copy is rarely larger than the upload, which was within the limit. */
const WITHIN_THE_FIRST = { bytes: Number.POSITIVE_INFINITY, refusal: () => unreadable() };

const unreadable = () => new ApiError("BAD_IMAGE", problem("image_damaged"));
