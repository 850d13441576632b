import { StorageDamaged } from "./errors.ts";
import type { Files } from "./files.ts";
import { type Frame, FrameKind } from "./frames.ts";
import { decodeEvents, lastEventIn, type Published } from "./records.ts";
import { readHeader, readSegment, SEGMENT_SIZE, type SegmentFile, segmentsIn } from "./segments.ts";

/** Reads events from the log's files, for queues that need older events than those in memory. */
export class PastEvents {
  readonly #files: Files;
  readonly #folder: string;
  #cached: { number: number; frames: readonly Frame[] } | undefined;

  constructor(files: Files, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  /** See Store.eventsInLog. `durableSeq` is the newest record on disk. */
  events(after: number, durableSeq: number, count: number): { events: Published[]; through: number } {
    const segments = segmentsIn(this.#files, this.#folder);
    for (const [index, file] of segments.entries()) {
      if (!readHeader(this.#files, file)) break;
      const next = segments[index + 1];
      const following = next && readHeader(this.#files, next);
      if (following && following.eventId <= after) continue;
      const events: Published[] = [];
      for (const frame of this.#framesOf(file, following !== undefined)) {
        // The ids in a record are consecutive. Records that are not on disk yet must not be seen.
        if (frame.kind !== FrameKind.record || frame.number > durableSeq || lastEventIn(frame) <= after) continue;
        for (const event of decodeEvents(frame)) if (event.id > after) events.push(event);
        if (events.length >= count) return { events, through: events.at(-1)?.id ?? after };
      }
      return { events, through: Math.max(following?.eventId ?? events.at(-1)?.id ?? after, after) };
    }
    return { events: [], through: after };
  }

  /** The frames of a segment. Caches those of one closed segment, since a queue that is behind reads on there. */
  #framesOf(file: SegmentFile, closed: boolean): readonly Frame[] {
    if (this.#cached?.number === file.number) return this.#cached.frames;
    const { frames, closed: complete, end } = readSegment(this.#files, file);
    if (closed && !complete)
      throw new StorageDamaged(file.path, `damaged at byte ${end}: its later events cannot be read`);
    this.#cached = closed ? { number: file.number, frames } : undefined;
    return frames;
  }

  bytesAfter(eventId: number): number {
    const segments = segmentsIn(this.#files, this.#folder);
    return segments.filter((file) => (readHeader(this.#files, file)?.eventId ?? -1) > eventId).length * SEGMENT_SIZE;
  }

  get oldestEventId(): number {
    for (const file of segmentsIn(this.#files, this.#folder)) {
      const header = readHeader(this.#files, file);
      if (header) return header.eventId;
    }
    return 0;
  }
}
