import { extname } from "node:path";
import type { ImageFormat } from "./images/tasks.ts";

/*
 * The content type of a file. For uploads, the first bytes decide. Attackers choose the name and the declared type, and
 * a server that trusted them would run a stranger's script.
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

/** The first brands of ISO media files (ISO/IEC 14496-12) that a browser shows. It downloads all others. */
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

/** Types that a browser cannot run. A picture that is also valid HTML is served as a picture. */
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

/** The content type of an upload. `head` has the first 4 kB, or the whole file. Only UTF-8 can be text. */
export function typeOfFile(head: Uint8Array, { name = "", isUtf8 = false } = {}): string {
  const at = (start: number, end: number) => latin1(head, start, end);
  const found = SIGNATURES.find(([, start, bytes]) => at(start, start + bytes.length) === bytes);
  if (found) return found[0];
  if (at(0, 4) === "RIFF" && at(8, 12) === "WEBP") return "image/webp";
  if (at(0, 4) === "RIFF" && at(8, 12) === "WAVE") return "audio/wav";
  if (isIsoMedia(head)) return isAvif(head) ? "image/avif" : (BRANDS[at(8, 12)] ?? UNKNOWN_TYPE);
  if (at(0, 4) === "\x1a\x45\xdf\xa3") return at(4, 64).includes("webm") ? "video/webm" : UNKNOWN_TYPE;
  if (head.length > 2 && head[0] === 0xff && (head[1]! & 0xf6) === 0xf0) return "audio/aac";
  if (head.length > 2 && head[0] === 0xff && (head[1]! & 0xe6) === 0xe2) return "audio/mpeg";
  const isText = isUtf8 && TEXT_NAMES.has(extname(name).toLowerCase()) && !head.some(isControl);
  return isText ? "text/plain" : UNKNOWN_TYPE;
}

const DECODED: Readonly<Record<string, ImageFormat>> = {
  "image/jpeg": "jpeg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/tiff": "tiff",
  "image/avif": "avif",
};

/** The bytes that `imageFormat` reads. */
export const IMAGE_HEAD_BYTES = 32;

/** The format for the decoder; undefined if Hearth does not decode this type. The rest of the file may be damaged. */
export function imageFormat(head: Uint8Array): ImageFormat | undefined {
  return DECODED[typeOfFile(head)];
}

const isIsoMedia = (head: Uint8Array): boolean => latin1(head, 4, 8) === "ftyp";

/** After the first brand are a version, and brands with which the file is compatible. */
const isAvif = (head: Uint8Array): boolean =>
  isIsoMedia(head) && /^(?:avi[fs]|m[is]f1.*avi[fs])/s.test(latin1(head, 8, IMAGE_HEAD_BYTES));

const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end));

const isControl = (byte: number): boolean => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte);

/** Files that Vite writes for the pages. */
const PAGE_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** The content type of a built page's file. Its name can be trusted. */
export const typeOfPageFile = (name: string): string => PAGE_TYPES[extname(name)] ?? UNKNOWN_TYPE;
