import { crc32 } from "node:zlib";
import { strippedHeif } from "./heif.ts";
import { exifWith, FileBytes, orientationOf, type Piece, Pieces, type ReadAt, Unreadable } from "./pieces.ts";

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
 * Removes metadata that identifies the location, time, author or device of a picture: EXIF, XMP, IPTC and comments.
 * Orientation, color profile and pixels stay. Returns the pieces of the new file; undefined if nothing changes.
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

const [START, END, COMMENT, APP0, APP1, APP2, APP14, APP15] = [0xd8, 0xd9, 0xfe, 0xe0, 0xe1, 0xe2, 0xee, 0xef];
const EXIF = "Exif\0\0";

/**
 * Keeps what a decoder needs, and the color profile. Removes everything after the end of the picture, where cameras
 * store other pictures and videos with their own metadata.
 */
export async function strippedJpeg(file: FileBytes): Promise<Pieces> {
  const pieces = new Pieces();
  let hasExif = false;
  pieces.keep(0, 2);
  for (let at = 2; at < file.size; ) {
    // Pixels, or bytes that decoders skip, until the next marker.
    const marker = await nextMarker(file, at);
    pieces.keep(at, marker.at);
    if (marker.code === undefined) return pieces;
    const start = marker.at;
    if (marker.code === END) {
      pieces.keep(start, start + 2);
      return pieces;
    }
    if (marker.code === START || marker.code === 0x01) {
      pieces.keep(start, start + 2);
      at = start + 2;
      continue;
    }
    const head = await file.at(start + 2, 64);
    const length = head.length < 2 ? 2 : Math.max(2, head.readUInt16BE(0));
    at = Math.min(file.size, start + 2 + length);
    const content = head.subarray(2, Math.min(head.length, length));
    if (isNeeded(marker.code, content)) pieces.keep(start, at);
    else if (marker.code === APP1 && content.toString("latin1", 0, 6) === EXIF && !hasExif) {
      hasExif = true;
      const exif = await file.at(start + 4, length - 2);
      pieces.put(jpegExif(orientationOf(exif.subarray(EXIF.length))));
    }
  }
  return pieces;
}

function isNeeded(marker: number, content: Buffer): boolean {
  const begins = (name: string) => content.toString("latin1", 0, name.length) === name;
  if (marker === COMMENT) return false;
  if (marker < APP0 || marker > APP15) return true;
  if (marker === APP0) return begins("JFIF\0");
  if (marker === APP2) return begins("ICC_PROFILE\0");
  return marker === APP14 && begins("Adobe");
}

/** Skips stuffed bytes, restart markers and fill bytes. Without a code, the file has no further marker. */
async function nextMarker(file: FileBytes, from: number): Promise<{ at: number; code?: number }> {
  for (let at = from; ; ) {
    const bytes = await file.from(at);
    if (bytes.length < 2) return { at: file.size };
    const found = markerIn(bytes);
    const code = bytes[found + 1];
    if (code !== undefined) return { at: at + found, code };
    at += found;
  }
}

/** The position of the first marker, or else of the last byte, which may begin a marker. */
function markerIn(bytes: Buffer): number {
  const last = bytes.length - 1;
  for (let at = 0; at < last; at++) {
    if (bytes[at] !== 0xff) continue;
    const code = bytes[at + 1] as number;
    if (code !== 0xff && code !== 0 && (code < 0xd0 || code > 0xd7)) return at;
  }
  return last;
}

function jpegExif(orientation: number): Buffer {
  const tiff = exifWith(orientation);
  if (tiff.length === 0) return tiff;
  const head = Buffer.from([0xff, APP1, 0, 0]);
  head.writeUInt16BE(2 + EXIF.length + tiff.length, 2);
  return Buffer.concat([head, Buffer.from(EXIF, "latin1"), tiff]);
}

/** Chunks that affect how pixels look or move. The names of critical chunks begin with a capital letter. */
const PNG_CHUNKS = new Set(
  "tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT".split(" "),
);
const MAX_EXIF = 64 << 10;

export async function strippedPng(file: FileBytes): Promise<Pieces> {
  // Without this header no program shows it.
  if ((await file.at(12, 4)).toString("latin1") !== "IHDR") return Pieces.whole(file.size);
  const pieces = new Pieces();
  pieces.keep(0, 8);
  for (let at = 8; at + 8 <= file.size; ) {
    const head = await file.at(at, 8);
    const [length, type] = [head.readUInt32BE(0), head.toString("latin1", 4, 8)];
    if (!/^[A-Za-z]{4}$/.test(type)) throw new Unreadable("No chunk of a PNG.");
    const end = Math.min(file.size, at + 12 + length);
    if (/^[A-Z]/.test(type) || PNG_CHUNKS.has(type)) pieces.keep(at, end);
    else if (type === "eXIf") pieces.put(pngExif(orientationOf(await file.at(at + 8, Math.min(length, MAX_EXIF)))));
    if (type === "IEND") break;
    at = end;
  }
  return pieces;
}

function pngExif(orientation: number): Buffer {
  const tiff = exifWith(orientation);
  if (tiff.length === 0) return tiff;
  const chunk = Buffer.alloc(tiff.length + 12);
  chunk.writeUInt32BE(tiff.length, 0);
  chunk.write("eXIf", 4, "latin1");
  tiff.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + tiff.length)), 8 + tiff.length);
  return chunk;
}

const WEBP_CHUNKS = new Set(["VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** Bits of VP8X. */
const HAS = { exif: 0x08, xmp: 0x04 };

/** The header contains the file size and a list of features, so it is written last. */
export async function strippedWebp(file: FileBytes): Promise<Pieces> {
  // With another first chunk no program shows it.
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
    else if (WEBP_CHUNKS.has(type)) chunks.keep(at, end);
    else if (type === "EXIF" && exif.length === 0)
      exif = webpExif(orientationOf(tiffIn(await file.at(at + 8, Math.min(length, MAX_EXIF)))));
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

/** Some programs write the prefix that only JPEG needs. */
const tiffIn = (exif: Buffer): Buffer => (exif.toString("latin1", 0, 6) === "Exif\0\0" ? exif.subarray(6) : exif);

function webpExif(orientation: number): Buffer {
  const tiff = exifWith(orientation);
  if (tiff.length === 0) return tiff;
  const head = Buffer.alloc(8);
  head.write("EXIF", 0, "latin1");
  head.writeUInt32LE(tiff.length, 4);
  return Buffer.concat([head, tiff]);
}
