import { exifWith, type FileBytes, orientationOf, Pieces, Unreadable } from "./pieces.ts";

/*
 * HEIC and AVIF (ISO/IEC 14496-12 and 23008-12). Boxes refer to bytes by their positions in the file, so nothing is
 * removed: metadata is overwritten in place, and the file keeps its size.
 */

const MAX_BOXES = 10_000;
const MAX_META = 4 << 20;
/** Bytes that may be overwritten in total. */
const MAX_OVERWRITTEN = 16 << 20;
const MAX_DEPTH = 8;
/** These hold boxes in which there can be metadata. */
const CONTAINERS = new Set(["moov", "trak", "mdia", "minf", "edts"]);
/** Boxes with arbitrary contents, such as XMP and the location of a video. */
const FREE_FORM = new Set(["uuid", "udta"]);

interface Box {
  type: string;
  start: number;
  /** Where its content begins. */
  content: number;
  end: number;
}

/** Overwritten ranges. */
class Patches {
  readonly #all: { start: number; bytes: Buffer }[] = [];
  #room = MAX_OVERWRITTEN;

  add(start: number, bytes: Buffer): void {
    this.#all.push({ start, bytes });
  }

  /** Returns the bytes that will be there. */
  fill(start: number, end: number, byte: number): Buffer {
    this.#room -= end - start;
    if (this.#room < 0) throw new Unreadable("Metadata is too large.");
    const bytes = Buffer.alloc(end - start, byte);
    this.add(start, bytes);
    return bytes;
  }

  appliedTo(size: number): Pieces {
    const pieces = new Pieces();
    let at = 0;
    for (const { start, bytes } of this.#all.sort((a, b) => a.start - b.start)) {
      if (start < at) throw new Unreadable("Metadata overlaps.");
      pieces.keep(at, start);
      pieces.put(bytes);
      at = start + bytes.length;
    }
    pieces.keep(at, size);
    return pieces;
  }
}

export async function strippedHeif(file: FileBytes): Promise<Pieces> {
  const patches = new Patches();
  const boxes = { left: MAX_BOXES, describe: false };
  try {
    await stripBoxes(file, { start: 0, end: file.size, depth: 0, boxes }, patches);
  } catch (error) {
    // Without a box that describes a picture or a video, no program shows it.
    if (error instanceof Unreadable && !boxes.describe) return Pieces.whole(file.size);
    throw error;
  }
  return patches.appliedTo(file.size);
}

interface Range {
  start: number;
  end: number;
  depth: number;
  boxes: { left: number; describe: boolean };
}

async function stripBoxes(file: FileBytes, range: Range, patches: Patches): Promise<void> {
  for (let at = range.start; at < range.end; ) {
    if (range.boxes.left-- <= 0 || range.depth > MAX_DEPTH) throw new Unreadable("Too many boxes.");
    const head = await file.at(at, 16);
    const type = head.toString("latin1", 4, 8);
    if (type === "meta" || type === "moov") range.boxes.describe = true;
    const box = boxIn(head, at, range.end);
    if (FREE_FORM.has(box.type) || (box.type === "meta" && range.depth > 0)) empty(box, patches);
    else if (box.type === "meta") await stripItems(file, box, patches);
    else if (CONTAINERS.has(box.type))
      await stripBoxes(file, { ...range, start: box.content, end: box.end, depth: range.depth + 1 }, patches);
    at = box.end;
  }
}

function boxIn(head: Buffer, start: number, end: number): Box {
  if (head.length < 8) throw new Unreadable("A box is cut short.");
  const size = head.readUInt32BE(0);
  const isLong = size === 1;
  if (isLong && head.length < 16) throw new Unreadable("A box is cut short.");
  const length = size === 0 ? end - start : isLong ? Number(head.readBigUInt64BE(8)) : size;
  const box = { type: head.toString("latin1", 4, 8), start, content: start + (isLong ? 16 : 8), end: start + length };
  if (box.end > end || box.end < box.content) throw new Unreadable("A box is larger than what it is in.");
  return box;
}

/** Turns the box into free space of the same size. */
function empty({ start, content, end }: Box, patches: Patches): void {
  patches.add(start + 4, Buffer.from("free"));
  patches.fill(content, end, 0);
}

interface Extent {
  start: number;
  length: number;
}

async function stripItems(file: FileBytes, meta: Box, patches: Patches): Promise<void> {
  const length = meta.end - meta.start;
  if (length > MAX_META) throw new Unreadable("The list of items is too large.");
  const bytes = await whole(file, meta.start, length);
  const inside = new Map<string, Box>();
  for (let at = meta.content - meta.start + 4; at < length; ) {
    const box = boxIn(bytes.subarray(at, at + 16), at, length);
    if (!inside.has(box.type)) inside.set(box.type, box);
    at = box.end;
  }
  const contentOf = (type: string) => bytes.subarray(inside.get(type)?.content ?? 0, inside.get(type)?.end ?? 0);
  const kinds = itemKinds(contentOf("iinf"));
  const idat = meta.start + (inside.get("idat")?.content ?? 0);
  for (const [id, extents] of itemExtents(contentOf("iloc"), idat)) {
    const kind = kinds.get(id);
    if (kind) await blank(file, extents, { kind, patches });
  }
}

async function whole(file: FileBytes, start: number, length: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < length; at += STEP)
    pieces.push(Buffer.from(await file.at(start + at, Math.min(STEP, length - at))));
  const bytes = Buffer.concat(pieces);
  if (bytes.length < length) throw new Unreadable("The file is cut short.");
  return bytes;
}
const STEP = 64 << 10;

type Kind = "exif" | "text";

/** Metadata items by id: EXIF and texts (XMP is a text). */
function itemKinds(iinf: Buffer): Map<number, Kind> {
  const kinds = new Map<number, Kind>();
  if (iinf.length === 0) return kinds;
  const reader = new BoxReader(iinf);
  const version = reader.version();
  const count = reader.number(version === 0 ? 2 : 4);
  for (let index = 0; index < count; index++) {
    const box = boxIn(iinf.subarray(reader.position, reader.position + 16), reader.position, iinf.length);
    const entry = new BoxReader(iinf.subarray(box.content, box.end));
    const entryVersion = entry.version();
    if (box.type !== "infe" || entryVersion < 2) throw new Unreadable("An item of an unknown kind.");
    const id = entry.number(entryVersion === 2 ? 2 : 4);
    entry.number(2);
    const type = entry.text(4);
    if (type === "Exif") kinds.set(id, "exif");
    if (type === "mime") kinds.set(id, "text");
    reader.position = box.end;
  }
  return kinds;
}

function* itemExtents(iloc: Buffer, idat: number): Generator<[number, Extent[]]> {
  if (iloc.length === 0) return;
  const reader = new BoxReader(iloc);
  const version = reader.version();
  if (version > 2) throw new Unreadable("An unknown list of locations.");
  const [first, second] = [reader.number(1), reader.number(1)];
  const [offsetSize, lengthSize, baseSize] = [first >> 4, first & 15, second >> 4];
  const indexSize = version === 0 ? 0 : second & 15;
  const count = reader.number(version < 2 ? 2 : 4);
  for (let index = 0; index < count; index++) {
    const id = reader.number(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : reader.number(2) & 15;
    const isElsewhere = reader.number(2) !== 0;
    const base = reader.number(baseSize);
    const extents: Extent[] = [];
    for (let left = reader.number(2); left > 0; left--) {
      reader.number(indexSize);
      const start = base + reader.number(offsetSize) + (method === 1 ? idat : 0);
      extents.push({ start, length: reader.number(lengthSize) });
    }
    if (method < 2 && !isElsewhere) yield [id, extents];
  }
}

async function blank(
  file: FileBytes,
  extents: readonly Extent[],
  { kind, patches }: { kind: Kind; patches: Patches },
): Promise<void> {
  for (const [index, { start, length }] of extents.entries()) {
    const end = length === 0 ? file.size : start + length;
    if (end > file.size) throw new Unreadable("An item is outside of the file.");
    const bytes = patches.fill(start, end, kind === "text" ? SPACE : 0);
    if (kind === "exif" && index === 0) writeExif(bytes, await file.at(start, Math.min(STEP, end - start)));
  }
}
const SPACE = 0x20;

/** An item begins with the distance to its TIFF header. */
function writeExif(bytes: Buffer, original: Buffer): void {
  const tiff = original.length < 4 ? 0 : 4 + original.readUInt32BE(0);
  const exif = exifWith(orientationOf(original.subarray(tiff)));
  if (exif.length + 4 <= bytes.length) exif.copy(bytes, 4);
}

class BoxReader {
  position = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The version of a full box. Skips its flags. */
  version(): number {
    const version = this.number(1);
    this.number(3);
    return version;
  }

  /** A number of 0 to 8 bytes. */
  number(size: number): number {
    if (size > 8 || this.position + size > this.#bytes.length) throw new Unreadable("A list is cut short.");
    let value = 0;
    for (let index = 0; index < size; index++) value = value * 256 + (this.#bytes[this.position + index] as number);
    this.position += size;
    return value;
  }

  text(size: number): string {
    if (this.position + size > this.#bytes.length) throw new Unreadable("A list is cut short.");
    this.position += size;
    return this.#bytes.toString("latin1", this.position - size, this.position);
  }
}
