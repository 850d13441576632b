import { crc32 } from "node:zlib";

/**
 * A frame of the log: 24 bytes of header, then the payload, padded with zeros to 8 bytes. Little-endian:
 * magic u32, payload length u32, CRC-32 u32, kind u32, number f64.
 *
 * The checksum is seeded with the segment's salt and the frame's offset, so a frame is valid only where it was
 * written. `number` is the seq of a record; in a mark it is the log position up to which everything is on disk.
 */
export const FRAME_HEADER = 24;
const MAGIC = 0x48545248;
const MAGIC_BYTES = Buffer.from([0x48, 0x52, 0x54, 0x48]);

export const FrameKind = {
  /** One transaction: JSON of a LogRecord. */
  record: 1,
  /** Acknowledged ids of event queues: JSON {queue id: event id}. */
  cursors: 2,
  /** Event ids up to `number` may have been given out. */
  reserve: 3,
  /** The segment ends here; the log continues in the next one. */
  end: 4,
  /** Begins each write to disk: everything before log position `number` was flushed. */
  mark: 5,
} as const;
export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

export interface Frame {
  kind: FrameKind;
  number: number;
  payload: Buffer;
  /** Offset of the byte after the frame and its padding. */
  end: number;
}

export const frameSize = (payloadLength: number) => (FRAME_HEADER + payloadLength + 7) & ~7;

function checksum(bytes: Buffer, at: number, length: number, salt: number, offset: number): number {
  const seed = (salt ^ Math.imul(offset, 0x9e3779b1)) >>> 0;
  // Covers everything except the magic number and the checksum itself.
  const header = crc32(bytes.subarray(at + 4, at + 8), seed);
  return crc32(bytes.subarray(at + 12, at + FRAME_HEADER + length), header);
}

/** Writes the header of a frame whose payload is at `at + FRAME_HEADER`; returns the frame's size with padding. */
export function sealFrame(
  bytes: Buffer,
  at: number,
  kind: FrameKind,
  number: number,
  length: number,
  salt: number,
  offset: number,
): number {
  const size = frameSize(length);
  bytes.writeUInt32LE(MAGIC, at);
  bytes.writeUInt32LE(length, at + 4);
  bytes.writeUInt32LE(kind, at + 12);
  bytes.writeDoubleLE(number, at + 16);
  bytes.fill(0, at + FRAME_HEADER + length, at + size);
  bytes.writeUInt32LE(checksum(bytes, at, length, salt, offset), at + 8);
  return size;
}

/** The frame at `offset` of a segment, or undefined if there is no complete and valid one. */
export function readFrame(segment: Buffer, offset: number, salt: number): Frame | undefined {
  if (offset + FRAME_HEADER > segment.length || segment.readUInt32LE(offset) !== MAGIC) return undefined;
  const length = segment.readUInt32LE(offset + 4);
  const end = offset + frameSize(length);
  if (length > segment.length || end > segment.length) return undefined;
  if (checksum(segment, offset, length, salt, offset) !== segment.readUInt32LE(offset + 8)) return undefined;
  const kind = segment.readUInt32LE(offset + 12) as FrameKind;
  const number = segment.readDoubleLE(offset + 16);
  return { kind, number, payload: segment.subarray(offset + FRAME_HEADER, offset + FRAME_HEADER + length), end };
}

/** All valid frames at or after `offset`, even after invalid bytes. They distinguish damage from a torn tail. */
export function* scanForFrames(segment: Buffer, offset: number, salt: number): Generator<Frame> {
  // Every start scans the unused megabytes of the newest segment: `indexOf` is ten times as fast as a loop.
  for (let at = segment.indexOf(MAGIC_BYTES, offset); at >= 0; at = segment.indexOf(MAGIC_BYTES, at + 1)) {
    if ((at - offset) % 8 !== 0) continue;
    const frame = readFrame(segment, at, salt);
    if (frame) yield frame;
  }
}
