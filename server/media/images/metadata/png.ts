import { crc32 } from "node:zlib";
import { exifWith, orientationOf } from "./exif.ts";
import type { FileBytes } from "./file-bytes.ts";
import { Pieces, Unreadable } from "./pieces.ts";

/** What says how the pixels look, and how they move. Critical chunks begin with a capital letter. */
const NEEDED = new Set("tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT".split(" "));
const MAX_EXIF = 64 << 10;

export async function strippedPng(file: FileBytes): Promise<Pieces> {
  // Without its header it is no picture for anybody.
  if ((await file.at(12, 4)).toString("latin1") !== "IHDR") return Pieces.whole(file.size);
  const pieces = new Pieces();
  pieces.keep(0, 8);
  for (let at = 8; at + 8 <= file.size; ) {
    const head = await file.at(at, 8);
    const [length, type] = [head.readUInt32BE(0), head.toString("latin1", 4, 8)];
    if (!/^[A-Za-z]{4}$/.test(type)) throw new Unreadable("No chunk of a PNG.");
    const end = Math.min(file.size, at + 12 + length);
    if (/^[A-Z]/.test(type) || NEEDED.has(type)) pieces.keep(at, end);
    else if (type === "eXIf") pieces.put(exifChunk(orientationOf(await file.at(at + 8, Math.min(length, MAX_EXIF)))));
    if (type === "IEND") break;
    at = end;
  }
  return pieces;
}

function exifChunk(orientation: number): Buffer {
  const tiff = exifWith(orientation);
  if (tiff.length === 0) return tiff;
  const chunk = Buffer.alloc(tiff.length + 12);
  chunk.writeUInt32BE(tiff.length, 0);
  chunk.write("eXIf", 4, "latin1");
  tiff.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + tiff.length)), 8 + tiff.length);
  return chunk;
}
