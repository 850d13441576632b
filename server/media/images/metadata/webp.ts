import { exifWith, orientationOf } from "./exif.ts";
import type { FileBytes } from "./file-bytes.ts";
import { type Piece, Pieces, Unreadable } from "./pieces.ts";

const NEEDED = new Set(["VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** Bits of VP8X. */
const HAS = { exif: 0x08, xmp: 0x04 };
const MAX_EXIF = 64 << 10;

/** The size of the file and what it holds are written at its beginning, so these are changed at the end. */
export async function strippedWebp(file: FileBytes): Promise<Pieces> {
  // With another first chunk it is no picture for anybody.
  if (!/^VP8[ LX]$/.test((await file.at(12, 4)).toString("latin1"))) return Pieces.whole(file.size);
  const chunks = new Pieces();
  let features: Buffer | undefined;
  let exif: Buffer = Buffer.alloc(0);
  const riff = (await file.at(0, 12)).readUInt32LE(4) + 8;
  const size = Math.min(file.size, riff);
  for (let at = 12; at + 8 <= size; ) {
    const head = await file.at(at, 18);
    const [type, length] = [head.toString("latin1", 0, 4), head.readUInt32LE(4)];
    if (!/^[\x20-\x7e]{4}$/.test(type)) throw new Unreadable("No chunk of a WebP.");
    const end = Math.min(size, at + 8 + length + (length % 2));
    if (type === "VP8X" && !features && head.length === 18) features = Buffer.from(head);
    else if (NEEDED.has(type)) chunks.keep(at, end);
    else if (type === "EXIF" && exif.length === 0)
      exif = exifChunk(orientationOf(tiffIn(await file.at(at + 8, Math.min(length, MAX_EXIF)))));
    at = end;
  }
  const kept = new Pieces();
  const isClean = (((features?.[8] as number) ?? 0) & (HAS.exif | HAS.xmp)) === 0;
  if (isClean && riff === file.size && 12 + (features?.length ?? 0) + chunks.size === file.size)
    return Pieces.whole(file.size);
  if (features) features[8] = ((features[8] as number) & ~HAS.exif & ~HAS.xmp) | (exif.length > 0 ? HAS.exif : 0);
  const written = features && exif.length > 0 ? exif : Buffer.alloc(0);
  const head = Buffer.from(await file.at(0, 12));
  head.writeUInt32LE(4 + (features?.length ?? 0) + chunks.size + written.length, 4);
  kept.put(Buffer.concat([head, features ?? Buffer.alloc(0)]));
  for (const piece of chunks.all) addTo(kept, piece);
  kept.put(written);
  return kept;
}

function addTo(pieces: Pieces, piece: Piece): void {
  if (piece instanceof Uint8Array) pieces.put(piece);
  else pieces.keep(piece.start, piece.end);
}

/** Some write the name that JPEG needs before it. */
const tiffIn = (exif: Buffer): Buffer => (exif.toString("latin1", 0, 6) === "Exif\0\0" ? exif.subarray(6) : exif);

function exifChunk(orientation: number): Buffer {
  const tiff = exifWith(orientation);
  if (tiff.length === 0) return tiff;
  const head = Buffer.alloc(8);
  head.write("EXIF", 0, "latin1");
  head.writeUInt32LE(tiff.length, 4);
  return Buffer.concat([head, tiff]);
}
