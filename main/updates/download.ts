import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { UpdateProblem } from "../bridge-types.ts";
import { refusalOf, UpdateRefused } from "./refused.ts";

// Reads a feed on the web, or in a folder of this machine. By Node and not by Chromium, which reaches nothing but
// Hearth's own pages (main/guards.ts). Whatever a server sends, no more is read than was promised.

/** Without a byte for this long, the other side counts as gone. */
const SILENCE_MS = 30_000;

export interface Reading {
  signal: AbortSignal;
  /** Without a byte for this long, in milliseconds, the other side counts as gone. */
  silence?: number;
}

/** @throws UpdateRefused, with `missing` if there is no such file. */
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

/** Writes the file, or what there is of it. @throws UpdateRefused if it is not what the release says. */
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

/** The content, piece by piece. @throws UpdateRefused */
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
