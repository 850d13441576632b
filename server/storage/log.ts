import { randomBytes } from "node:crypto";
import { StorageClosed, StorageFailed } from "./errors.ts";
import type { Files, OpenFile } from "./files.ts";
import { FRAME_HEADER, FrameKind, frameSize, sealFrame } from "./frames.ts";
import {
  encodeHeader,
  position,
  SEGMENT_SIZE,
  SEGMENT_START,
  type SegmentFile,
  type SegmentHeader,
  segmentName,
  segmentsIn,
  WITNESS_SLOT,
  witnessPath,
} from "./segments.ts";

const MARK_SIZE = frameSize(0);
const RETRY_MS = 1000;
const WITNESS_MS = 1000;

interface Ready {
  file: SegmentFile;
  handle: OpenFile;
}

/** Frames that go to disk together: one write, one flush. Begins with a mark. */
interface Batch {
  segment: Ready;
  /** Set on the first batch of a segment: its header is written and flushed before. */
  header: SegmentHeader | undefined;
  offset: number;
  bytes: Buffer;
  used: number;
  /** Newest record in it, or in what was written before. */
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
  onFlushed(seq: number, reserved: number): void;
  onFailure(error: StorageFailed): void;
  onRoom?(): void;
}

/**
 * Appends frames to preallocated segments. Frames that wait together share one write and one fdatasync off the
 * event loop; a write or flush that fails is never tried again, since nobody knows what of it is on disk.
 */
export class Log {
  readonly #options: LogOptions;
  #tail: Ready;
  /** Offset in the tail segment where the next frame goes, batches that wait included. */
  #offset: number;
  #next: Ready | undefined;
  #preparing: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  readonly #waiting: Batch[] = [];
  #flushing: Promise<void> | undefined;
  /** Who waits for the next flush to end. */
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
  #witness: NodeJS.Timeout | undefined;
  #witnessSlot = 0;
  /** Statement texts of the tail segment, by their number in it. */
  dictionary = new Map<string, number>();
  /** Bytes appended since the last checkpoint. */
  bytesSinceCheckpoint = 0;

  private constructor(
    options: LogOptions,
    tail: Ready,
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

  /** Goes on in an existing segment after `offset`, where nothing but zeros may follow. */
  static resume(
    options: LogOptions,
    file: SegmentFile,
    offset: number,
    dictionary: Map<string, number>,
    state: { seq: number; eventId: number; reserved: number },
  ): Log {
    const log = new Log(options, { file, handle: options.files.open(file.path, "write") }, offset, state);
    log.dictionary = dictionary;
    void log.#prepareNext();
    return log;
  }

  /** Begins a new segment with number `number`. Throws what the disk throws. */
  static async begin(
    options: LogOptions,
    number: number,
    state: { seq: number; eventId: number; reserved: number },
  ): Promise<Log> {
    const ready = await allocate(options, number);
    const log = new Log(options, ready, SEGMENT_START, state);
    ready.handle.write(encodeHeader(log.#header(ready)), 0);
    await ready.handle.dataSync();
    void log.#prepareNext();
    return log;
  }

  #header({ file }: Ready): SegmentHeader {
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

  /** The largest frame payload: a quarter of a segment, so that three quarters can be written before the next is ready. */
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

  /** Whether a frame of any allowed size is sure to find room. Asked before BEGIN, so a full disk changes nothing. */
  get hasRoom(): boolean {
    return this.#next !== undefined || this.#segmentSize - this.#offset >= frameSize(this.#maxPayload) + 3 * MARK_SIZE;
  }

  get failure(): StorageFailed | undefined {
    return this.#failed;
  }

  /** Whether the frame would open a new segment, whose dictionary is empty. */
  startsSegment(payloadLength: number): boolean {
    const batch = this.#waiting.at(-1);
    const mark = batch ? 0 : MARK_SIZE;
    // A mark and an end frame must always fit behind it.
    return this.#offset + mark + frameSize(payloadLength) + 2 * MARK_SIZE > this.#segmentSize;
  }

  /** Ends the tail segment; what comes next goes to the next one. */
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
    this.#openBatch(); // whatever comes: the new segment's header is written now, and the one after it made then
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
   * Takes one frame for the next write. `number` is the record's seq or the reserved id; `eventId` the newest event
   * id given out with it. The caller has asked `hasRoom` and kept to `maxPayload`.
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
    // After the requests that arrived together, so that they share one flush.
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
        for (const resolve of this.#settling.splice(0)) resolve();
        this.#options.onFailure(this.#failed);
      },
    );
  }

  async #write(): Promise<void> {
    for (let batch = this.#waiting.shift(); batch; batch = this.#waiting.shift()) {
      const { file, handle } = batch.segment;
      if (batch.header) {
        handle.write(encodeHeader(batch.header), 0);
        await handle.dataSync();
        this.#flushed = position(file.number, SEGMENT_START);
        void this.#prepareNext();
      }
      sealFrame(batch.bytes, 0, FrameKind.mark, this.#flushed, 0, file.salt, batch.offset);
      handle.write(batch.bytes.subarray(0, batch.used), batch.offset);
      await handle.dataSync();
      this.#flushed = position(file.number, batch.offset + batch.used);
      this.#witness ??= setTimeout(() => this.#bearWitness(), WITNESS_MS).unref();
      if (batch.bytes.length <= 1 << 20) this.#spare ??= batch.bytes;
      for (const resolve of this.#settling.splice(0)) resolve();
      this.#options.onFlushed(batch.seq, batch.reserved);
      if (batch.closes) handle.close();
    }
  }

  /** Not flushed itself: it is there for the day when the disk rots, and a position that was flushed stays true. */
  #bearWitness(): void {
    clearTimeout(this.#witness);
    this.#witness = undefined;
    const { files, folder } = this.#options;
    try {
      const path = witnessPath(folder);
      const file = files.open(path, files.exists(path) ? "write" : "create");
      try {
        const slot = Buffer.alloc(WITNESS_SLOT);
        sealFrame(slot, 0, FrameKind.mark, this.#flushed, 0, 0, this.#witnessSlot);
        file.write(slot, this.#witnessSlot);
        this.#witnessSlot = WITNESS_SLOT - this.#witnessSlot;
      } finally {
        file.close();
      }
    } catch {
      // The log is whole without it; the next one is tried after the next write.
    }
  }

  /** Everything appended so far is on disk when this resolves; what is appended meanwhile may not be. */
  async settle(): Promise<void> {
    const wanted = position(this.#tail.file.number, this.#offset);
    while (this.#flushed < wanted && !this.#failed && (this.#waiting.length > 0 || this.#flushing)) {
      if (!this.#flushing) this.#flush();
      await new Promise<void>((resolve) => this.#settling.push(resolve));
    }
    if (this.#failed) throw this.#failed;
  }

  #prepareNext(): Promise<void> {
    this.#preparing ??= allocate(this.#options, this.#tail.file.number + 1)
      .then((ready) => {
        if (this.#closed) return ready.handle.close();
        this.#next = ready;
        this.#options.onRoom?.();
      })
      .catch(() => {
        // The disk is full, or worse: writes are refused before they change anything until this succeeds.
        if (this.#closed) return;
        this.#retry = setTimeout(() => void this.#prepareNext(), RETRY_MS);
        this.#retry.unref();
      })
      .finally(() => {
        this.#preparing = undefined;
      });
    return this.#preparing;
  }

  /** Resolves when a next segment is ready or its preparation has failed once. */
  async prepared(): Promise<boolean> {
    if (!this.#next) {
      await this.settle(); // never before the header of the one before
      await this.#prepareNext();
    }
    return this.#next !== undefined;
  }

  async close(): Promise<void> {
    try {
      if (!this.#failed) await this.settle();
      if (this.#witness) this.#bearWitness();
    } finally {
      this.#closed = true;
      clearTimeout(this.#witness);
      clearTimeout(this.#retry);
      await this.#preparing;
      this.#tail.handle.close();
      this.#next?.handle.close();
    }
  }
}

/**
 * Makes a segment of zeros, flushed. One that is there from before (ready, never begun) is filled again in place:
 * once a segment is made, its file is never missing, so that a missing one is known for damage.
 */
async function allocate({ files, folder, segmentSize = SEGMENT_SIZE }: LogOptions, number: number): Promise<Ready> {
  const there = segmentsIn(files, folder).find((file) => file.number === number);
  const salt = randomBytes(4).readUInt32LE();
  const file = there ?? { number, salt, path: `${folder}/${segmentName(number, salt)}` };
  const handle = files.open(file.path, there ? "write" : "create");
  try {
    const zeros = Buffer.alloc(Math.min(segmentSize, 1 << 20));
    for (let at = 0; at < segmentSize; at += zeros.length) {
      handle.write(zeros.subarray(0, segmentSize - at), at);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    await handle.dataSync();
    files.syncFolder(folder);
    return { file, handle };
  } catch (error) {
    handle.close();
    if (!there) files.remove(file.path);
    throw error;
  }
}
