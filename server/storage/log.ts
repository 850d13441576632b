import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { FolderTaken, LogDeleted, StorageBusy, StorageClosed, StorageFailed, StorageFull } from "./errors.ts";
import type { Files, OpenFile } from "./files.ts";
import { FRAME_HEADER, FrameKind, frameSize, sealFrame } from "./frames.ts";
import {
  encodeHeader,
  FLUSHED_SLOT,
  flushedPath,
  position,
  SEGMENT_SIZE,
  SEGMENT_START,
  type SegmentFile,
  type SegmentHeader,
  segmentName,
  segmentsIn,
} from "./segments.ts";

const MARK_SIZE = frameSize(0);
const RETRY_MS = 1000;
const FLUSHED_MS = 1000;
/** Zeros per flush: a flush of the segment in use may have to wait for one of these. */
const ZEROS_AT_ONCE = 256 << 10;

interface OpenSegment {
  file: SegmentFile;
  handle: OpenFile;
}

/** Frames that share one write and one flush. Begins with a mark. */
interface Batch {
  segment: OpenSegment;
  /** Set on the first batch of a segment: the header is written and flushed before it. */
  header: SegmentHeader | undefined;
  offset: number;
  bytes: Buffer;
  used: number;
  /** The newest record up to the end of this batch. */
  seq: number;
  reserved: number;
  closes: boolean;
}

export interface LogOptions {
  files: Files;
  folder: string;
  schema: number;
  engine: string;
  /** Bytes of a new segment; default 16 MB. */
  segmentSize?: number | undefined;
  /** Whether the data folder still belongs to this process. */
  isHeld(): boolean;
  onFlushed(seq: number, reserved: number): void;
  onFailure(error: StorageFailed): void;
}

/**
 * Appends frames to preallocated segments. Waiting frames share one write and one flush off the event loop.
 * A failed write or flush is never retried, since no one knows how much of it is on disk.
 */
export class Log {
  readonly #options: LogOptions;
  #tail: OpenSegment;
  /** Offset of the next frame in the tail segment, after all pending batches. */
  #offset: number;
  #next: OpenSegment | undefined;
  #preparing: Promise<void> | undefined;
  /** Why the last attempt to prepare a segment failed. */
  #unprepared: NodeJS.ErrnoException | undefined;
  /** Callers that wait for the attempt to end. */
  #waitingForRoom: (() => void)[] = [];
  #retry: NodeJS.Timeout | undefined;
  readonly #waiting: Batch[] = [];
  #flushing: Promise<void> | undefined;
  /** Callers that wait for the next flush to end. */
  #settling: (() => void)[] = [];
  #scheduled = false;
  #flushed: number;
  #seq: number;
  #eventId: number;
  #reserved: number;
  #failed: StorageFailed | undefined;
  #closed = false;
  #spare: Buffer | undefined;
  readonly #segmentSize: number;
  readonly #maxPayload: number;
  #flushedTimer: NodeJS.Timeout | undefined;
  #flushedSlot = 0;
  /** Numbers of the statement texts that the tail segment contains. */
  dictionary = new Map<string, number>();
  /** Bytes appended since the last checkpoint. */
  bytesSinceCheckpoint = 0;

  private constructor(
    options: LogOptions,
    tail: OpenSegment,
    offset: number,
    state: { seq: number; eventId: number; reserved: number },
  ) {
    this.#options = options;
    this.#segmentSize = options.segmentSize ?? SEGMENT_SIZE;
    this.#maxPayload = this.#segmentSize / 4;
    this.#tail = tail;
    this.#offset = offset;
    this.#flushed = position(tail.file.number, offset);
    this.#seq = state.seq;
    this.#eventId = state.eventId;
    this.#reserved = state.reserved;
  }

  /** Continues an existing segment at `offset`; only zeros may follow there. */
  static resume(
    options: LogOptions,
    file: SegmentFile,
    offset: number,
    dictionary: Map<string, number>,
    state: { seq: number; eventId: number; reserved: number },
  ): Log {
    const log = new Log(options, { file, handle: openSegment(options.files, file.path, "write") }, offset, state);
    log.dictionary = dictionary;
    void log.#prepareNext();
    return log;
  }

  /** Starts a new segment. Throws the errors of the disk. */
  static async begin(
    options: LogOptions,
    number: number,
    state: { seq: number; eventId: number; reserved: number },
  ): Promise<Log> {
    const ready = await allocate(options, number);
    const log = new Log(options, ready, SEGMENT_START, state);
    await ready.handle.writeLater(encodeHeader(log.#header(ready)), 0);
    void log.#prepareNext();
    return log;
  }

  #header({ file }: OpenSegment): SegmentHeader {
    const { schema, engine } = this.#options;
    return {
      format: 1,
      segment: file.number,
      size: this.#segmentSize,
      salt: file.salt,
      seq: this.#seq,
      eventId: this.#eventId,
      reserved: this.#reserved,
      schema,
      engine,
    };
  }

  /** The largest frame payload: a quarter of a segment leaves three quarters to fill until the next one is ready. */
  get maxPayload(): number {
    return this.#maxPayload;
  }

  get segment(): number {
    return this.#tail.file.number;
  }

  get segmentFile(): SegmentFile {
    return this.#tail.file;
  }

  get offset(): number {
    return this.#offset;
  }

  /** Whether a frame of any allowed size fits. Checked before BEGIN, so that a full disk changes nothing. */
  get hasRoom(): boolean {
    return this.#next !== undefined || this.#segmentSize - this.#offset >= frameSize(this.#maxPayload) + 3 * MARK_SIZE;
  }

  /** Whether the next segment is being prepared, and a write has to wait for it. */
  get awaitsRoom(): boolean {
    return !this.hasRoom && !this.#unprepared && !this.#failed && !this.#closed;
  }

  /**
   * Resolves when the next segment is ready, or its preparation has failed; undefined if either is true already. Other
   * callers may use the room first: call it until it returns undefined, and then write in the same turn.
   */
  untilRoom(): Promise<void> | undefined {
    if (!this.awaitsRoom) return undefined;
    return new Promise((resolve) => this.#waitingForRoom.push(resolve));
  }

  /** Why `hasRoom` is false. */
  get lackOfRoom(): StorageFull | StorageBusy {
    const cause = this.#unprepared;
    return cause?.code === "ENOSPC" || cause?.code === "EDQUOT" ? new StorageFull() : new StorageBusy(cause);
  }

  get failure(): StorageFailed | undefined {
    return this.#failed;
  }

  /** Whether the frame would open a new segment, whose dictionary is empty. */
  startsSegment(payloadLength: number): boolean {
    const batch = this.#waiting.at(-1);
    const mark = batch ? 0 : MARK_SIZE;
    // A mark and an end frame must fit behind the frame.
    return this.#offset + mark + frameSize(payloadLength) + 2 * MARK_SIZE > this.#segmentSize;
  }

  /** Closes the tail segment; the log continues in the next one. */
  rotate(): void {
    if (!this.#next) throw new Error("No segment is ready.");
    const batch = this.#openBatch();
    const size = sealFrame(batch.bytes, batch.used, FrameKind.end, this.#seq, 0, this.#tail.file.salt, this.#offset);
    batch.used += size;
    batch.closes = true;
    this.#tail = this.#next;
    this.#next = undefined;
    this.#offset = SEGMENT_START;
    this.dictionary = new Map();
    this.#openBatch(); // writes the new segment's header immediately, and then prepares the segment after it
    this.#schedule();
  }

  #openBatch(room = 0): Batch {
    let batch = this.#waiting.at(-1);
    if (!batch || batch.closes) {
      const bytes =
        this.#spare && this.#spare.length >= room + 4096
          ? this.#spare
          : Buffer.allocUnsafeSlow(Math.max(1 << 18, room + 4096));
      this.#spare = undefined;
      const first = this.#offset === SEGMENT_START && this.#flushed < position(this.#tail.file.number, SEGMENT_START);
      batch = {
        segment: this.#tail,
        header: first ? this.#header(this.#tail) : undefined,
        offset: this.#offset,
        bytes,
        used: MARK_SIZE,
        seq: this.#seq,
        reserved: this.#reserved,
        closes: false,
      };
      this.#waiting.push(batch);
      this.#offset += MARK_SIZE;
    }
    if (batch.used + room + MARK_SIZE > batch.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(batch.bytes.length * 2, batch.used + room + 4096));
      batch.bytes.copy(larger, 0, 0, batch.used);
      batch.bytes = larger;
    }
    return batch;
  }

  /**
   * Adds one frame to the next write. `number` is the record's seq or the reserved event id, `eventId` the newest
   * event id of the record. Callers check `hasRoom` and `maxPayload` before.
   */
  append(kind: FrameKind, number: number, payload: string, length: number, eventId = this.#eventId): void {
    if (this.#failed) throw this.#failed;
    if (this.#closed) throw new StorageClosed();
    if (this.startsSegment(length)) this.rotate();
    const batch = this.#openBatch(frameSize(length));
    batch.bytes.write(payload, batch.used + FRAME_HEADER, "utf8");
    const size = sealFrame(batch.bytes, batch.used, kind, number, length, this.#tail.file.salt, this.#offset);
    batch.used += size;
    this.#offset += size;
    this.bytesSinceCheckpoint += size;
    if (kind === FrameKind.record) this.#seq = number;
    if (kind === FrameKind.reserve) this.#reserved = number;
    this.#eventId = eventId;
    batch.seq = this.#seq;
    batch.reserved = this.#reserved;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#flushing) return;
    this.#scheduled = true;
    // Runs after all requests that arrived together, so that they share one flush.
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#waiting.length > 0 && !this.#flushing && !this.#failed) this.#flush();
    });
  }

  #flush(): void {
    this.#flushing = this.#write().then(
      () => {
        this.#flushing = undefined;
        if (this.#waiting.length > 0) this.#schedule();
      },
      (error: unknown) => {
        this.#flushing = undefined;
        this.#failed = new StorageFailed(error);
        for (const resolve of [...this.#settling.splice(0), ...this.#waitingForRoom.splice(0)]) resolve();
        this.#options.onFailure(this.#failed);
      },
    );
  }

  async #write(): Promise<void> {
    for (let batch = this.#waiting.shift(); batch; batch = this.#waiting.shift()) {
      const { file, handle } = batch.segment;
      // Another Hearth would read, change and delete these segments. One stat per flush takes microseconds.
      if (!this.#options.isHeld())
        throw handle.isDeleted ? new LogDeleted(file.path) : new FolderTaken(dirname(this.#options.folder));
      if (batch.header) {
        await handle.writeLater(encodeHeader(batch.header), 0);
        this.#flushed = position(file.number, SEGMENT_START);
        void this.#prepareNext();
      }
      sealFrame(batch.bytes, 0, FrameKind.mark, this.#flushed, 0, file.salt, batch.offset);
      await handle.writeLater(batch.bytes.subarray(0, batch.used), batch.offset);
      // A flush succeeds also where the data folder was deleted. One fstat per flush takes microseconds.
      if (handle.isDeleted) throw new LogDeleted(file.path);
      this.#flushed = position(file.number, batch.offset + batch.used);
      this.#flushedTimer ??= setTimeout(() => this.#writeFlushedPosition(), FLUSHED_MS).unref();
      if (batch.bytes.length <= 1 << 20) this.#spare ??= batch.bytes;
      for (const resolve of this.#settling.splice(0)) resolve();
      this.#options.onFlushed(batch.seq, batch.reserved);
      if (batch.closes) handle.close();
    }
  }

  /** Helps to detect damage of the disk. It is not flushed, since an older position is also valid. */
  #writeFlushedPosition(): void {
    clearTimeout(this.#flushedTimer);
    this.#flushedTimer = undefined;
    const { files, folder } = this.#options;
    try {
      const path = flushedPath(folder);
      const file = files.open(path, files.exists(path) ? "write" : "create");
      try {
        const slot = Buffer.alloc(FLUSHED_SLOT);
        sealFrame(slot, 0, FrameKind.mark, this.#flushed, 0, 0, this.#flushedSlot);
        file.write(slot, this.#flushedSlot);
        this.#flushedSlot = FLUSHED_SLOT - this.#flushedSlot;
      } finally {
        file.close();
      }
    } catch {
      // The log is complete without it. The next write tries again.
    }
  }

  /** Resolves when all frames appended before the call are on disk. */
  async settle(): Promise<void> {
    const target = position(this.#tail.file.number, this.#offset);
    while (this.#flushed < target && !this.#failed && (this.#waiting.length > 0 || this.#flushing)) {
      if (!this.#flushing) this.#flush();
      await new Promise<void>((resolve) => this.#settling.push(resolve));
    }
    if (this.#failed) throw this.#failed;
  }

  /** Once the header of the tail is on disk, and while there is no next segment. */
  #prepareNext(): Promise<void> {
    this.#preparing ??= allocate(this.#options, this.#tail.file.number + 1)
      .then((ready) => {
        if (this.#closed) return ready.handle.close();
        this.#next = ready;
        this.#unprepared = undefined;
      })
      .catch((error: NodeJS.ErrnoException) => {
        // The disk is full, or worse: transactions are rejected before they change anything until this succeeds.
        if (this.#closed) return;
        this.#unprepared = error;
        this.#retry = setTimeout(() => void this.#prepareNext(), RETRY_MS);
        this.#retry.unref();
      })
      .finally(() => {
        this.#preparing = undefined;
        for (const resolve of this.#waitingForRoom.splice(0)) resolve();
      });
    return this.#preparing;
  }

  /**
   * Whether the next segment is ready, after one attempt to prepare it. Other writes continue, so another caller may
   * prepare and open it first: preparing a segment in use would destroy its contents.
   */
  async prepared(): Promise<boolean> {
    while (!this.#next) {
      if (this.#flushed < position(this.#tail.file.number, SEGMENT_START))
        await this.settle(); // its header comes first
      else {
        await this.#prepareNext();
        if (this.#unprepared || this.#closed) break;
      }
    }
    return this.#next !== undefined;
  }

  async close(): Promise<void> {
    try {
      if (!this.#failed) await this.settle();
      // Writes both slots, so that a single damaged sector does not destroy this proof.
      if (this.#flushedTimer) for (const _slot of [0, FLUSHED_SLOT]) this.#writeFlushedPosition();
    } finally {
      this.#closed = true;
      clearTimeout(this.#flushedTimer);
      clearTimeout(this.#retry);
      await this.#preparing;
      this.#tail.handle.close();
      this.#next?.handle.close();
    }
  }
}

/** Each write to the file flushes itself. */
const openSegment = (files: Files, path: string, how: "write" | "create"): OpenFile =>
  files.open(path, how, { durable: true });

/**
 * Creates a segment of zeros and flushes it. An existing unused segment is filled with zeros again: the file of a
 * segment is never removed once it exists, so a missing one always means damage.
 */
async function allocate(
  { files, folder, segmentSize = SEGMENT_SIZE }: LogOptions,
  number: number,
): Promise<OpenSegment> {
  const existing = segmentsIn(files, folder).find((file) => file.number === number);
  const salt = randomBytes(4).readUInt32LE();
  const file = existing ?? { number, salt, path: `${folder}/${segmentName(number, salt)}` };
  const handle = openSegment(files, file.path, existing ? "write" : "create");
  try {
    const zeros = Buffer.alloc(Math.min(segmentSize, ZEROS_AT_ONCE));
    // One flush of everything would delay those of the segment that is in use.
    for (let at = 0; at < segmentSize; at += zeros.length)
      await handle.writeLater(zeros.subarray(0, segmentSize - at), at);
    await files.syncFolderLater(folder);
    return { file, handle };
  } catch (error) {
    handle.close();
    if (!existing) files.remove(file.path);
    throw error;
  }
}
