import type { App } from "../../app.ts";
import { ApiError } from "../../errors.ts";
import type { TemporaryFile } from "../../media/files/file-being-received.ts";
import { typeOfFile } from "../../media/files/file-types.ts";
import { withoutMetadata } from "../../media/images/metadata/metadata.ts";
import { type Piece, Unreadable } from "../../media/images/metadata/pieces.ts";

const MAX_READ = 256 << 10;

/**
 * The file without the metadata of a picture, for as long as `use` takes. Where that changes something it is written
 * as another file, so that its size and whatever else is known of its bytes is of those that are stored.
 * Errors: BAD_IMAGE for a picture whose structure cannot be read, since nobody knows what it says.
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

/** What is written is hardly ever longer than what was sent, and that was within the limit. */
const WITHIN_THE_FIRST = { bytes: Number.POSITIVE_INFINITY, refusal: () => unreadable() };

const unreadable = () =>
  new ApiError(
    "BAD_IMAGE",
    "This picture is damaged, so its location and other details can't be removed. Send it in an archive instead.",
  );
