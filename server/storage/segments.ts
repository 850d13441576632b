import { crc32 } from "node:zlib";
import { SchemaTooNew, StorageDamaged } from "./errors.ts";
import { type Files, readFully } from "./files.ts";
import { type Frame, FrameKind, framesAnywhere, readFrame } from "./frames.ts";

/** Bytes of a segment, unless the store was told otherwise. */
export const SEGMENT_SIZE = 16 * 1024 * 1024;
/** Where frames begin: the header has a disk block of its own. */
export const SEGMENT_START = 4096;

/** The first block of a segment: JSON, then its CRC-32. A segment of zeros is ready and not yet begun. */
export interface SegmentHeader {
  format: 1;
  segment: number;
  /** Bytes of the file: a shorter one was cut. */
  size: number;
  /** Random; checksums of the segment's frames start from it. */
  salt: number;
  /** Seq of the newest record before this segment. */
  seq: number;
  /** Newest event id given out before this segment. */
  eventId: number;
  /** Event ids up to this one may have been given out to events that are not logged. */
  reserved: number;
  schema: number;
  engine: string;
}

/** Log positions grow over all segments: segment number and offset in one number. */
export const position = (segment: number, offset: number) => segment * 2 ** 32 + offset;

/** The file name holds number and salt, so that a damaged header can still be told from one never written. */
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

/** The header alone; undefined where the segment is not begun or its header not readable. */
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
  /** Undefined for a segment that is ready and not begun, and for one whose header is not readable. */
  header: SegmentHeader | undefined;
  bytes: Buffer;
  frames: Frame[];
  /** Offset after the last valid frame. */
  end: number;
  /** Whether an end frame says that the next segment goes on. */
  closed: boolean;
}

/** Reads a segment up to its first invalid frame. */
export function readSegment(files: Files, file: SegmentFile): Segment {
  const bytes = readFully(files, file.path);
  const header = decodeHeader(bytes);
  const segment: Segment = { file, header, bytes, frames: [], end: SEGMENT_START, closed: false };
  if (!header) return segment;
  if (header.format !== 1) throw new SchemaTooNew(file.path, header.schema, header.schema);
  if (header.segment !== file.number || header.salt !== file.salt) {
    throw new StorageDamaged(file.path, `its header is that of ${segmentName(header.segment, header.salt)}`);
  }
  if (bytes.length < header.size)
    throw new StorageDamaged(file.path, `cut short: ${bytes.length} bytes instead of ${header.size}`);
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

export function isZero(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += ZEROS.length) {
    const part = bytes.subarray(at, at + ZEROS.length);
    if (part.compare(ZEROS, 0, part.length) !== 0) return false;
  }
  return true;
}

/**
 * What follows the last valid frame of the log: nothing but zeros ("clean"), or the remains of one write that was
 * never acknowledged ("torn"). Anything that proves that bytes here had been flushed is damage. Each write begins
 * with a mark that names the position flushed before it, so the proof is a later mark; a segment is begun only
 * after the end frame of the one before was flushed, and made only after the header of the one before was.
 */
export function judgeTail(last: Segment, later: readonly Segment[]): "clean" | "torn" {
  const { file, bytes, end } = last;
  const [following] = later;
  if (!last.header && following)
    throw new StorageDamaged(file.path, `its header is destroyed: ${following.file.path} was made after it`);
  // Without a header nothing of the segment was acknowledged, unless a mark says that the header had been flushed.
  const here = position(file.number, last.header ? end + 1 : SEGMENT_START);
  for (const frame of framesAnywhere(bytes, end, file.salt)) {
    if (frame.kind === FrameKind.mark && frame.number >= here) {
      throw new StorageDamaged(
        file.path,
        `damaged at byte ${last.header ? end : 0}, before records that were acknowledged later`,
      );
    }
  }
  for (const next of later) {
    if (next.header || !isZero(next.bytes)) {
      throw new StorageDamaged(
        file.path,
        `damaged at byte ${end}: ${next.file.path} goes on with the log, but this file does not reach its end`,
      );
    }
  }
  return isZero(bytes.subarray(last.header ? end : 0)) ? "clean" : "torn";
}

/** Where the newest log position that is known to be flushed is kept, beside the log itself. */
export const witnessPath = (folder: string) => `${folder}/flushed`;
export const WITNESS_SLOT = 512;

/**
 * The newest log position known to have been flushed, or 0. Marks prove all writes but the last; this proves that
 * one too, once the server has been idle for a second: without it, rot in the last write looks like a torn tail,
 * and zeros over the last records like the log's end.
 */
export function witnessed(files: Files, folder: string): number {
  if (!files.exists(witnessPath(folder))) return 0;
  const bytes = readFully(files, witnessPath(folder));
  return Math.max(...[0, WITNESS_SLOT].map((at) => readFrame(bytes, at, 0)?.number ?? 0));
}
