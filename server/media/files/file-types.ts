import { isUtf8 } from "node:buffer";
import { extname } from "node:path";

/*
 * The first bytes of a file decide its type. The claimed type and the name do not: with them, an attacker could make
 * browsers run a script from our origin.
 */

export const UNKNOWN_TYPE = "application/octet-stream";

type Signature = readonly [type: string, at: number, bytes: string];

const SIGNATURES: readonly Signature[] = [
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF87a"],
  ["image/gif", 0, "GIF89a"],
  ["image/bmp", 0, "BM"],
  ["image/tiff", 0, "II*\0"],
  ["image/tiff", 0, "MM\0*"],
  ["application/pdf", 0, "%PDF-"],
  ["audio/flac", 0, "fLaC"],
  ["audio/mpeg", 0, "ID3"],
  ["audio/ogg", 0, "OggS"],
  ["application/zip", 0, "PK\x03\x04"],
  ["application/gzip", 0, "\x1f\x8b"],
];

/** Brands of ISO media files (ISO/IEC 14496-12). */
const BRANDS: Readonly<Record<string, string>> = {
  avif: "image/avif",
  avis: "image/avif",
  heic: "image/heic",
  heix: "image/heic",
  heim: "image/heic",
  heis: "image/heic",
  hevc: "image/heic-sequence",
  mif1: "image/heif",
  msf1: "image/heif-sequence",
  "M4A ": "audio/mp4",
  "M4B ": "audio/mp4",
  "M4V ": "video/mp4",
  isom: "video/mp4",
  iso2: "video/mp4",
  iso4: "video/mp4",
  iso5: "video/mp4",
  iso6: "video/mp4",
  mp41: "video/mp4",
  mp42: "video/mp4",
  avc1: "video/mp4",
  dash: "video/mp4",
  "qt  ": "video/quicktime",
};

/** Types that browsers show. None of them can run a script. */
const SHOWN = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "audio/aac",
  "audio/flac",
  "audio/mp4",
  "audio/mpeg",
  "audio/ogg",
  "audio/wav",
  "audio/webm",
  "video/mp4",
  "video/webm",
  "text/plain",
]);
const TEXT_NAMES = new Set([".txt", ".text", ".log", ".md"]);

/** Whether a browser may show a file of this type instead of downloading it. */
export const isShown = (type: string): boolean => SHOWN.has(type);

/** The media type of a file by its first 4 kB. */
export function typeOfFile(head: Buffer, name = ""): string {
  const at = (start: number, end: number) => head.toString("latin1", start, end);
  const found = SIGNATURES.find(([, start, bytes]) => at(start, start + bytes.length) === bytes);
  if (found) return found[0];
  if (at(0, 4) === "RIFF" && at(8, 12) === "WEBP") return "image/webp";
  if (at(0, 4) === "RIFF" && at(8, 12) === "WAVE") return "audio/wav";
  if (at(4, 8) === "ftyp") return BRANDS[at(8, 12)] ?? UNKNOWN_TYPE;
  if (at(0, 4) === "\x1a\x45\xdf\xa3") return at(4, 64).includes("webm") ? "video/webm" : UNKNOWN_TYPE;
  if (head.length > 2 && head[0] === 0xff && (head[1]! & 0xf6) === 0xf0) return "audio/aac";
  if (head.length > 2 && head[0] === 0xff && (head[1]! & 0xe6) === 0xe2) return "audio/mpeg";
  return TEXT_NAMES.has(extname(name).toLowerCase()) && isText(head) ? "text/plain" : UNKNOWN_TYPE;
}

function isText(head: Buffer): boolean {
  // The 4 kB can end in the middle of a character.
  const whole = [0, 1, 2, 3].some(
    (cut) => cut < Math.max(head.length, 1) && isUtf8(head.subarray(0, head.length - cut)),
  );
  return whole && !head.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte));
}
