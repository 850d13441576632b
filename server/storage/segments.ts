import { crc32 } from "node:zlib";
import { SchemaTooNew, StorageDamaged } from "./errors.ts";
import { type Files, type OpenFile, readFully } from "./files.ts";
import { type Frame, FrameKind, readFrame, scanForFrames } from "./frames.ts";

/** Bytes of a segment; tests use smaller ones. */
export const SEGMENT_SIZE = 16 * 1024 * 1024;
/** Offset of the first frame: the header has its own disk block. */
export const SEGMENT_START = 4096;

/** The first block of a segment: JSON, then its CRC-32. A segment of zeros is ready but unused. */
export interface SegmentHeader {
  format: 1;
  segment: number;
  /** Bytes of the file: a shorter file was truncated. */
  size: number;
  /** Random; it seeds the checksums of the segment's frames. */
  salt: number;
  /** Seq of the newest record before this segment. */
  seq: number;
  /** Newest event id before this segment. */
  eventId: number;
  /** Unlogged events may have used event ids up to this one. */
  reserved: number;
  schema: number;
  engine: string;
}

/** A log position, which grows over all segments: segment number and offset in one number. */
export const position = (segment: number, offset: number) => segment * 2 ** 32 + offset;

/** The name contains number and salt, which distinguishes a damaged header from a missing one. */
export const segmentName = (segment: number, salt: number) =>
  `${String(segment).padStart(8, "0")}-${salt.toString(16).padStart(8, "0")}.log`;

export interface SegmentFile {
  number: number;
  salt: number;
  path: string;
}

export function encodeHeader(header: SegmentHeader): Buffer {
  const block = Buffer.alloc(SEGMENT_START);
  const length = block.write(JSON.stringify(header), 8);
  block.writeUInt32LE(length, 0);
  block.writeUInt32LE(crc32(block.subarray(8, 8 + length)), 4);
  return block;
}

export function decodeHeader(bytes: Buffer): SegmentHeader | undefined {
  if (bytes.length < SEGMENT_START) return undefined;
  const length = bytes.readUInt32LE(0);
  if (length === 0 || length > SEGMENT_START - 8) return undefined;
  const text = bytes.subarray(8, 8 + length);
  return crc32(text) === bytes.readUInt32LE(4) ? (JSON.parse(text.toString()) as SegmentHeader) : undefined;
}

/** The segment files of a log folder, ascending. */
export function segmentsIn(files: Files, folder: string): SegmentFile[] {
  return files
    .list(folder)
    .map((name) => /^(\d{8})-([0-9a-f]{8})\.log$/.exec(name))
    .filter((match) => match !== null)
    .map(([name, number, salt]) => ({
      number: Number(number),
      salt: Number.parseInt(salt as string, 16),
      path: `${folder}/${name}`,
    }))
    .sort((a, b) => a.number - b.number);
}

/** Reads only the header; undefined if the segment is unused or its header damaged. */
export function readHeader(files: Files, file: SegmentFile): SegmentHeader | undefined {
  const handle = files.open(file.path, "read");
  try {
    const block = Buffer.alloc(SEGMENT_START);
    return handle.read(block, 0) === SEGMENT_START ? decodeHeader(block) : undefined;
  } finally {
    handle.close();
  }
}

export interface Segment {
  file: SegmentFile;
  /** Undefined for an unused segment, and for a damaged header. */
  header: SegmentHeader | undefined;
  /** The file without the zeros at its end, except for some of them. */
  bytes: Buffer;
  frames: Frame[];
  /** Offset after the last valid frame. */
  end: number;
  /** Whether it ends with an end frame: the log continues in the next segment. */
  closed: boolean;
}

/** Reads a segment up to its first invalid frame. */
export function readSegment(files: Files, file: SegmentFile): Segment {
  const handle = files.open(file.path, "read");
  const { size } = handle;
  let bytes: Buffer;
  try {
    bytes = readUsed(handle, size);
  } finally {
    handle.close();
  }
  const header = decodeHeader(bytes);
  const segment: Segment = { file, header, bytes, frames: [], end: SEGMENT_START, closed: false };
  if (!header) return segment;
  if (header.format !== 1) throw new SchemaTooNew(file.path, header.schema, header.schema);
  if (header.segment !== file.number || header.salt !== file.salt) {
    throw new StorageDamaged(file.path, `its header is that of ${segmentName(header.segment, header.salt)}`);
  }
  if (size < header.size) throw new StorageDamaged(file.path, `cut short: ${size} bytes instead of ${header.size}`);
  while (!segment.closed) {
    const frame = readFrame(bytes, segment.end, file.salt);
    if (!frame) break;
    segment.frames.push(frame);
    segment.end = frame.end;
    segment.closed = frame.kind === FrameKind.end;
  }
  return segment;
}

const ZEROS = Buffer.alloc(1 << 20);
/** More zeros than a valid frame can end with. */
const ZEROS_OF_A_FRAME = SEGMENT_START;

/**
 * Reads a file up to the point where only zeros follow. Every start reads two segments of 16 MB: one is unused, and the
 * other mostly unused. Memory pages that nothing is written to cost nothing.
 */
function readUsed(file: OpenFile, size: number): Buffer {
  const piece = Buffer.allocUnsafe(Math.min(size, ZEROS.length));
  let [all, end] = [Buffer.alloc(0), 0];
  for (let at = 0; at < size; at += piece.length) {
    const part = piece.subarray(0, file.read(piece.subarray(0, size - at), at));
    if (isZero(part)) continue;
    if (all.length === 0) all = Buffer.alloc(size);
    all.set(part, at);
    end = at + part.length;
  }
  return all.subarray(0, end + ZEROS_OF_A_FRAME);
}

export function isZero(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += ZEROS.length) {
    const part = bytes.subarray(at, at + ZEROS.length);
    if (part.compare(ZEROS, 0, part.length) !== 0) return false;
  }
  return true;
}

/**
 * Whether anything was written to a segment after it was filled with zeros: a header, or a frame. The header is flushed
 * before the first frame is written, and the name of the file tells what both must contain. So a segment in which one
 * byte was damaged still shows that it was used, and other bytes in an unused one were never acknowledged.
 */
function wasUsed({ file, header, bytes }: Segment): boolean {
  if (header) return true;
  for (const _frame of scanForFrames(bytes, SEGMENT_START, file.salt)) return true;
  const beginning = Buffer.from(headerBeginning(file.number));
  const equal = beginning.reduce((count, byte, index) => count + (bytes[8 + index] === byte ? 1 : 0), 0);
  return equal > beginning.length / 2;
}

/** The first bytes of the JSON of each header. */
const headerBeginning = (segment: number) => `{"format":1,"segment":${segment},"size":`;

/**
 * Checks what follows the last valid frame of the log: only zeros ("clean"), or the remains of one unacknowledged
 * write ("torn"). Throws StorageDamaged if the missing frames had been flushed. Each write begins with a mark that
 * names the position flushed before it, so a later mark proves that. So does a later segment that was used, since it is
 * used only after the end frame of this one was flushed, and created only after the header of this one was.
 */
export function checkTail(last: Segment, later: readonly Segment[]): "clean" | "torn" {
  const { file, bytes, end } = last;
  const [following] = later;
  if (!last.header && following)
    throw new StorageDamaged(file.path, `its header is destroyed: ${following.file.path} was made after it`);
  // Without a header nothing in the segment was acknowledged, unless a mark proves that the header had been flushed.
  const endPosition = position(file.number, last.header ? end + 1 : SEGMENT_START);
  for (const frame of scanForFrames(bytes, end, file.salt)) {
    if (frame.kind === FrameKind.mark && frame.number >= endPosition) {
      throw new StorageDamaged(
        file.path,
        `damaged at byte ${last.header ? end : 0}, before records that were acknowledged later`,
      );
    }
  }
  for (const next of later) {
    if (wasUsed(next)) {
      throw new StorageDamaged(
        file.path,
        `damaged at byte ${end}: ${next.file.path} goes on with the log, but this file does not reach its end`,
      );
    }
  }
  if (isZero(bytes.subarray(last.header ? end : 0))) return "clean";
  const stray = later.find((next) => !isZero(next.bytes));
  // A crash tears the last write and never touches the segment after it. Both together are damage by the disk, which may
  // have destroyed an acknowledged record.
  if (stray) throw new StorageDamaged(file.path, `damaged at byte ${end}, and so is ${stray.file.path}`);
  return "torn";
}

/** The file next to the segments that stores the newest flushed log position. */
export const flushedPath = (folder: string) => `${folder}/flushed`;
export const FLUSHED_SLOT = 512;

/**
 * The newest log position that was certainly flushed, or 0. Marks prove all writes except the last; this proves the
 * last one too, after a second without writes. Without it, damage in the last write looks like a torn tail, and zeros
 * over the last records look like the end of the log.
 */
export function flushedPosition(files: Files, folder: string): number {
  if (!files.exists(flushedPath(folder))) return 0;
  const bytes = readFully(files, flushedPath(folder));
  return Math.max(...[0, FLUSHED_SLOT].map((at) => readFrame(bytes, at, 0)?.number ?? 0));
}
