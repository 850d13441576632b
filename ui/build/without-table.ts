import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

// Runs while the pages are built (../vite.config.ts). https://www.w3.org/TR/WOFF2/

/** The tags that WOFF 2 names by a number (section 4.1). */
const KNOWN_TAGS =
  "cmap head hhea hmtx maxp name OS/2 post cvt\u0020 fpgm glyf loca prep CFF\u0020 VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG\u0020 sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill";
const tags = KNOWN_TAGS.match(/.{4} ?/g)?.map((tag) => tag.slice(0, 4)) ?? [];
const HEADER_BYTES = 48;
const OTHER_TAG = 63;

interface Table {
  readonly tag: string;
  /** Its raw entry in the directory. */
  readonly entry: Buffer;
  /** Its size in the decompressed data. */
  readonly stored: number;
  /** Its size in the font. */
  readonly original: number;
}

/** Removes a table from a WOFF 2 font. @throws if it is no such font, or has no such table. */
export function withoutTable(font: Buffer, tag: string): Buffer {
  if (font.toString("latin1", 0, 4) !== "wOF2") throw new Error("This is no font in WOFF 2.");
  const { tables, end } = directoryOf(font);
  const compressed = font.readUInt32BE(20);
  const data = brotliDecompressSync(font.subarray(end, end + compressed));
  let at = 0;
  const parts: Buffer[] = [];
  for (const table of tables) {
    if (table.tag !== tag) parts.push(data.subarray(at, at + table.stored));
    at += table.stored;
  }
  const left = tables.filter((table) => table.tag !== tag);
  if (left.length !== tables.length - 1 || at !== data.length) throw new Error(`The font has no table "${tag}".`);

  const stream = brotliCompressSync(Buffer.concat(parts), {
    params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT, [constants.BROTLI_PARAM_QUALITY]: 7 },
  });
  const header = Buffer.from(font.subarray(0, HEADER_BYTES));
  const entries = left.map(({ entry }) => entry);
  const result = Buffer.concat([header, ...entries, stream]);
  const padded = Buffer.concat([result, Buffer.alloc(-result.length & 3)]);
  const sfntSize = left.reduce((sum, { original }) => sum + 16 + ((original + 3) & ~3), 12);
  padded.writeUInt32BE(padded.length, 8);
  padded.writeUInt16BE(left.length, 12);
  padded.writeUInt32BE(sfntSize, 16);
  padded.writeUInt32BE(stream.length, 20);
  padded.fill(0, 28, HEADER_BYTES); // no metadata and no private block
  return padded;
}

function directoryOf(font: Buffer): { tables: Table[]; end: number } {
  const count = font.readUInt16BE(12);
  const tables: Table[] = [];
  let at = HEADER_BYTES;
  const base128 = () => {
    let value = 0;
    for (;;) {
      const byte = font.readUInt8(at++);
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  };
  while (tables.length < count) {
    const start = at;
    const flags = font.readUInt8(at++);
    const known = flags & 0x3f;
    let tag = tags[known] ?? "";
    if (known === OTHER_TAG) {
      tag = font.toString("latin1", at, at + 4);
      at += 4;
    }
    const original = base128();
    // Version 3 means untransformed for glyf and loca, version 0 for all others.
    const isTransformed = tag === "glyf" || tag === "loca" ? flags >> 6 !== 3 : flags >> 6 !== 0;
    const stored = isTransformed ? base128() : original;
    tables.push({ tag, entry: font.subarray(start, at), stored, original });
  }
  return { tables, end: at };
}
