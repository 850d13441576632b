import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import { type ApiError, badRequest } from "../errors.ts";
import { announcedLength, discardBody, MAX_FIELDS, tooLarge, tooManyFields } from "./body.ts";
import type { Fields } from "./params.ts";

/** A file whose contents are on disk. Nothing of it stays unless the handler stores it. */
export interface TemporaryFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** The first 4 kB. */
  readonly head: Buffer;
}

/** How large a file may be, and what is said of a larger one. */
export interface SizeLimit {
  readonly bytes: number;
  readonly refusal: () => ApiError;
}

/** Where files are put while their request is read. */
export interface FileReceiver {
  receive(source: AsyncIterable<Uint8Array>, limit: SizeLimit): Promise<TemporaryFile>;
  discard(files: readonly TemporaryFile[]): Promise<void>;
}

/** A file of a request. */
export interface ReceivedFile {
  /** The name of its part; clients choose any. */
  readonly field: string;
  /** As its sender calls it: any text, paths and control characters included; "" without a name. */
  readonly filename: string;
  /** The media type that its sender claims, without parameters. */
  readonly claimedType: string;
  readonly content: TemporaryFile;
}

export interface MultipartForm {
  readonly fields: Fields;
  readonly files: readonly ReceivedFile[];
}

export const isMultipart = ({ headers }: IncomingMessage): boolean =>
  /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");

/**
 * Reads a multipart body, its files straight to disk; where nobody reads on, its sender is held back. Resolves when
 * the whole body is there; never when the caller goes away. What it received and does not hand over is discarded.
 * @throws ApiError 400 and 413, the limit's refusal, and what the receiver throws.
 */
export async function receiveMultipart(
  request: IncomingMessage,
  {
    receiver,
    maxFiles,
    limit,
    fieldBytes,
  }: {
    receiver: FileReceiver;
    maxFiles: number;
    /** Of each file. */
    limit: SizeLimit;
    /** Of everything that is no file. */
    fieldBytes: number;
  },
): Promise<MultipartForm> {
  const maxBody = maxFiles * limit.bytes + fieldBytes;
  if (announcedLength(request) > maxBody) {
    await discardBody(request, 0);
    throw limit.refusal();
  }
  const fields = new Map<string, string>();
  const streams: Readable[] = [];
  const receiving: Promise<ReceivedFile>[] = [];
  let received = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      const malformed = () => reject(badRequest("The request's multipart body is malformed."));
      request.on("close", () => request.readableEnded || reject(new CallerGone()));
      request.on("error", () => reject(new CallerGone()));
      request.on("data", (chunk: Buffer) => {
        received += chunk.length;
        if (received > maxBody) reject(tooLarge(maxBody));
      });
      const form = formOf(request, fieldBytes);
      if (!form) return malformed();
      let ofFields = 0;
      form.on("field", (name: string | undefined, value) => {
        ofFields += Buffer.byteLength(value);
        if (!name?.isWellFormed() || !value.isWellFormed()) malformed();
        else if (ofFields >= fieldBytes) reject(tooLarge(fieldBytes));
        else fields.set(name, value);
      });
      form.on("file", (field: string | undefined, stream, filename: string | undefined, _encoding, claimedType) => {
        streams.push(stream);
        stream.on("error", () => {}); // the receiver's promise has it
        if (receiving.length === maxFiles) return reject(tooManyFiles(maxFiles));
        const file = receiver
          .receive(stream, limit)
          .then((content) => ({ field: field ?? "", filename: filename ?? "", claimedType, content }));
        file.catch(reject);
        receiving.push(file);
      });
      form.on("fieldsLimit", () => reject(tooManyFields()));
      form.on("partsLimit", () => reject(tooManyFields()));
      form.on("error", malformed);
      form.on("finish", resolve);
      request.pipe(form);
    });
    return { fields, files: await Promise.all(receiving) };
  } catch (error) {
    request.unpipe();
    for (const stream of streams) stream.destroy(error as Error);
    for (const file of await Promise.allSettled(receiving))
      if (file.status === "fulfilled") await receiver.discard([file.value.content]);
    if (error instanceof CallerGone) return await new Promise<never>(() => {}); // nobody to tell
    await discardBody(request, received);
    throw error;
  }
}

/** Undefined where the content type names no boundary. */
function formOf({ headers }: IncomingMessage, fieldSize: number): InstanceType<typeof Busboy> | undefined {
  try {
    return new Busboy({
      headers: { "content-type": headers["content-type"] as string },
      preservePath: true,
      fileHwm: 256 << 10,
      limits: { fields: MAX_FIELDS, parts: MAX_FIELDS, fieldSize, fieldNameSize: 1000, headerPairs: 20 },
    });
  } catch {
    return undefined;
  }
}

const tooManyFiles = (max: number) => badRequest(max === 1 ? "Send one file." : `Send at most ${max} files.`);

class CallerGone extends Error {}
