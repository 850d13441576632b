import { exifWith, orientationOf } from "./exif.ts";
import type { FileBytes } from "./file-bytes.ts";
import { Pieces } from "./pieces.ts";

const [START, END, COMMENT, APP0, APP1, APP2, APP14, APP15] = [0xd8, 0xd9, 0xfe, 0xe0, 0xe1, 0xe2, 0xee, 0xef];
const EXIF = "Exif\0\0";

/**
 * Keeps what a decoder needs, and the color profile. After the picture's end cameras put other pictures and videos,
 * which have metadata of their own, so that goes too.
 */
export async function strippedJpeg(file: FileBytes): Promise<Pieces> {
  const pieces = new Pieces();
  let hasExif = false;
  pieces.keep(0, 2);
  for (let at = 2; at < file.size; ) {
    // Until the next marker: pixels, or rubbish that decoders skip.
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
      pieces.put(exifSegment(orientationOf(exif.subarray(EXIF.length))));
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

/** Skips stuffed bytes, restarts and fill bytes. Without a code: the file ends before. */
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

/** Where the first marker is. Without one: the last byte, which may begin one. */
function markerIn(bytes: Buffer): number {
  const last = bytes.length - 1;
  for (let at = 0; at < last; at++) {
    if (bytes[at] !== 0xff) continue;
    const code = bytes[at + 1] as number;
    if (code !== 0xff && code !== 0 && (code < 0xd0 || code > 0xd7)) return at;
  }
  return last;
}

function exifSegment(orientation: number): Buffer {
  const tiff = exifWith(orientation);
  if (tiff.length === 0) return tiff;
  const head = Buffer.from([0xff, APP1, 0, 0]);
  head.writeUInt16BE(2 + EXIF.length + tiff.length, 2);
  return Buffer.concat([head, Buffer.from(EXIF, "latin1"), tiff]);
}
