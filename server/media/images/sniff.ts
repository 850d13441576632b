import type { ImageFormat } from "./tasks.ts";

const latin1 = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)));

/** How many bytes of a file `sniffImage` looks at. */
export const SNIFFED_BYTES = 32;

/**
 * The format that a file begins like, from its first bytes and whatever its name says; undefined where it begins like
 * none that is decoded. The rest may still be broken.
 */
export function sniffImage(head: Uint8Array): ImageFormat | undefined {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "jpeg";
  if (latin1(head, 0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (/^GIF8[79]a/.test(latin1(head, 0, 6))) return "gif";
  if (latin1(head, 0, 4) === "RIFF" && latin1(head, 8, 12) === "WEBP") return "webp";
  if (/^(?:II\*\0|MM\0\*)/.test(latin1(head, 0, 4))) return "tiff";
  // An ISO file's first box: its size, `ftyp`, the major brand, a version, and brands it is compatible with.
  if (latin1(head, 4, 8) === "ftyp" && /avi[fs]/.test(latin1(head, 8, SNIFFED_BYTES))) return "avif";
  return undefined;
}
