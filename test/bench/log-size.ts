import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { realFiles } from "../../server/storage/files.ts";
import { readSegment, segmentsIn } from "../../server/storage/segments.ts";

/** Bytes of log in use. File sizes do not show it, because segments are preallocated. */
export function logBytes(folder: string): number {
  let bytes = 0;
  for (const file of segmentsIn(realFiles, join(folder, "log"))) bytes += readSegment(realFiles, file).end;
  return bytes;
}

const SPACE = 16 << 20;

/** The maximum appends per second on this disk: frames of `size` bytes, with `batch` per write and flush. */
export function flushedAppends(folder: string, size: number, batch: number, seconds: number): number {
  const path = join(folder, "appends");
  const file = openSync(path, "w");
  try {
    writeSync(file, Buffer.alloc(SPACE), 0, SPACE, 0);
    fdatasyncSync(file);
    const frames = Buffer.alloc(size * batch, 1);
    const start = performance.now();
    let [count, at] = [0, 0];
    while (performance.now() - start < seconds * 1000) {
      if (at + frames.length > SPACE) at = 0;
      writeSync(file, frames, 0, frames.length, at);
      fdatasyncSync(file);
      at += frames.length;
      count += batch;
    }
    return (count * 1000) / (performance.now() - start);
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
