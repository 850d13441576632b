import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { UpdateProblem } from "../bridge-types.ts";
import { refusalOf, UpdateRefused } from "./refused.ts";

// Reads a feed on the web or in a local folder. Uses Node, because Chromium can load only Hearth's own pages
// (main/guards.ts). Never reads more than the promised size.

/** Time limit without data. */
const SILENCE_MS = 30_000;

export interface Reading {
  signal: AbortSignal;
  /** Time limit without data, in milliseconds. */
  silence?: number;
}

/** @throws UpdateRefused, with code `missing` if there is no such file. */
export async function readText(
  url: URL,
  { limit, missing, ...reading }: Reading & { limit: number; missing: UpdateProblem["code"] },
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(url, { ...reading, missing })) {
    bytes += chunk.length;
    if (bytes > limit) throw new UpdateRefused("malformed", { detail: url.href });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** May leave a partial file. @throws UpdateRefused if size or checksum differ from the release. */
export async function downloadFile(
  url: URL,
  to: string,
  { size, sha512, onProgress, ...reading }: Reading & { size: number; sha512: string; onProgress(bytes: number): void },
): Promise<void> {
  const hash = createHash("sha512");
  let done = 0;
  const file = await open(to, "w", 0o600).catch((error) => {
    throw refusalOf(error, "disk");
  });
  try {
    for await (const chunk of chunksOf(url, { ...reading, missing: "noFile" })) {
      done += chunk.length;
      if (done > size) throw new UpdateRefused("damaged", { detail: url.href });
      hash.update(chunk);
      await file.write(chunk).catch((error) => {
        throw refusalOf(error, "disk");
      });
      onProgress(done);
    }
    if (done < size) throw new UpdateRefused("interrupted", { detail: url.href });
    if (hash.digest("base64") !== sha512) throw new UpdateRefused("damaged", { detail: url.href });
    await file.sync();
  } finally {
    await file.close();
  }
}

/** @throws UpdateRefused */
async function* chunksOf(
  url: URL,
  { signal, silence = SILENCE_MS, missing }: Reading & { missing: UpdateProblem["code"] },
): AsyncGenerator<Buffer> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), silence);
  const either = AbortSignal.any([signal, silent.signal]);
  let hasBegun = false;
  try {
    const source =
      url.protocol === "file:" ? createReadStream(url, { signal: either }) : await bodyOf(url, either, missing);
    for await (const chunk of source) {
      hasBegun = true;
      timer.refresh();
      yield Buffer.from(chunk);
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof UpdateRefused) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new UpdateRefused(missing, { detail: url.href });
    const { cause } = error as { cause?: Error };
    const detail = silent.signal.aborted ? url.host : cause?.message || (error as Error).message;
    throw new UpdateRefused(hasBegun ? "interrupted" : "unreachable", { detail, cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function bodyOf(
  url: URL,
  signal: AbortSignal,
  missing: UpdateProblem["code"],
): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(url, { signal, cache: "no-store", credentials: "omit" });
  if (response.ok && response.body) return response.body as AsyncIterable<Uint8Array>;
  await response.body?.cancel();
  if (response.status === 404 || response.status === 410) throw new UpdateRefused(missing, { detail: url.href });
  throw new UpdateRefused("unreachable", { detail: `${response.status} ${url.href}` });
}
