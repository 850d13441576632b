import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { type ApiError, badRequest } from "../errors.ts";
import type { FileBeingReceived, SizeLimit, TemporaryFile } from "../media/files/file-being-received.ts";
import { announcedLength, discardBody, MAX_FIELDS, notUtf8, tooLarge, tooManyFields } from "./body-limits.ts";
import type { Fields } from "./params.ts";

/** Stores the files of a request while its body arrives. */
export interface FileReceiver {
  begin(limit: SizeLimit): Pick<FileBeingReceived, "append" | "finish" | "abandon">;
  discard(files: readonly TemporaryFile[]): Promise<void>;
}

export interface ReceivedFile {
  /** The name of its part; clients can choose any. */
  readonly field: string;
  /** As sent: any text, including paths and control characters; "" without a name. */
  readonly filename: string;
  /** The media type that the client claims, without parameters. */
  readonly claimedType: string;
  readonly content: TemporaryFile;
}

export interface MultipartForm {
  readonly fields: Fields;
  readonly files: readonly ReceivedFile[];
}

export interface MultipartOptions {
  readonly receiver: FileReceiver;
  readonly maxFiles: number;
  /** The limit of each file. */
  readonly limit: SizeLimit;
  /** The limit of all fields together. */
  readonly fieldBytes: number;
}

/** A part's headers have two or three short lines; the name of a file can be long. */
const HEAD_LIMITS = { headerPairs: 20, headerSize: 16 << 10 };

export const isMultipart = ({ headers }: IncomingMessage): boolean =>
  /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");

const malformed = () => badRequest("multipart_malformed");
const tooManyFiles = (max: number) => badRequest("too_many_files", { count: max });

/** The fields of a multipart body without files. @throws ApiError 400 */
export function multipartFields(body: Buffer, contentType = ""): Promise<Fields> {
  return new Promise((resolve, reject) => {
    const { form, fields } = newForm(contentType, { fieldSize: body.length }, reject);
    form.on("file", (name: string | undefined, stream) => {
      stream.on("error", () => {}).resume(); // Busboy emits it on a truncated body
      reject(badRequest("file_not_accepted", { name: name ?? "A part without a name" }));
    });
    form.on("finish", () => (isUtf8(body) ? resolve(fields) : reject(notUtf8())));
    form.end(body);
  });
}

/**
 * Reads a multipart body and writes its files straight to disk. A slow disk holds back the client. Resolves at the end
 * of the body, and never if the client disconnects. Discards all files if it fails.
 * @throws ApiError 400 and 413, the limit's refusal, and errors of the receiver.
 */
export async function receiveMultipart(request: IncomingMessage, options: MultipartOptions): Promise<MultipartForm> {
  const { receiver, maxFiles, limit, fieldBytes } = options;
  const maxBody = maxFiles * limit.bytes + fieldBytes;
  if (announcedLength(request) > maxBody) {
    await discardBody(request, 0);
    throw limit.refusal();
  }
  const parts: FilePart[] = [];
  let received = 0;
  request.on("data", (chunk: Buffer) => {
    received += chunk.length;
  });
  try {
    const fields = await new Promise<Fields>((resolve, reject) => {
      let isOver = false;
      const fail = (error: unknown) => {
        isOver = true;
        for (const part of parts) part.isOver = true;
        request.unpipe(form);
        form.destroy(); // and the chunks that it has buffered
        reject(error);
      };
      const { form, fields } = newForm(
        request.headers["content-type"] ?? "",
        { fieldSize: fieldBytes, files: maxFiles },
        fail,
      );
      let fieldBytesLeft = fieldBytes;
      form.on("field", (name: string | undefined, value) => {
        fieldBytesLeft -= Buffer.byteLength(name ?? "") + Buffer.byteLength(value);
        if (fieldBytesLeft < 0) fail(tooLarge(fieldBytes));
        // Busboy decodes invalid bytes as U+FFFD.
        else if (/\ufffd/.test(name + value)) fail(notUtf8());
      });
      form.on("file", (field: string | undefined, stream, filename: string | undefined, _encoding, claimedType) => {
        stream.on("error", () => {}); // the form emits it, too
        if (isOver) return void stream.resume();
        const part: FilePart = {
          head: { field: field ?? "", filename: filename ?? "", claimedType },
          file: receiver.begin(limit),
          finished: undefined,
          isOver: false,
        };
        parts.push(part);
        writeFile(part, stream, fail);
      });
      form.on("filesLimit", () => fail(tooManyFiles(maxFiles)));
      // Busboy finishes at the last delimiter. The bytes after it do not matter, but have to be read.
      let isParsed = false;
      form.on("finish", () => {
        isParsed = true;
        if (request.readableEnded) resolve(fields);
      });
      request.on("end", () => isParsed && resolve(fields));
      request.on("data", () => received > maxBody && fail(tooLarge(maxBody)));
      request.on("close", () => request.readableEnded || fail(new ClientGone()));
      request.on("error", () => fail(new ClientGone()));
      request.pipe(form);
    });
    const files: ReceivedFile[] = [];
    for (const { head, finished } of parts) files.push({ ...head, content: (await finished) as TemporaryFile });
    return { fields, files };
  } catch (error) {
    for (const part of parts) await abandon(part, receiver);
    if (error instanceof ClientGone) return await new Promise<never>(() => {});
    await discardBody(request, received);
    throw error;
  }
}

interface FilePart {
  readonly head: Omit<ReceivedFile, "content">;
  readonly file: ReturnType<FileReceiver["begin"]>;
  finished: Promise<TemporaryFile> | undefined;
  /** The request has failed: what still arrives is dropped. */
  isOver: boolean;
}

function writeFile(part: FilePart, stream: Readable, fail: (error: unknown) => void): void {
  const { file } = part;
  stream.on("data", (bytes: Buffer) => {
    if (part.isOver) return;
    try {
      const waiting = file.append(bytes);
      if (!waiting) return;
      stream.pause();
      waiting.then(() => stream.resume(), fail);
    } catch (error) {
      fail(error);
    }
  });
  stream.on("end", () => {
    if (part.isOver) return;
    part.finished = file.finish();
    part.finished.catch(() => {}); // thrown when it is awaited
  });
}

async function abandon({ file, finished }: FilePart, receiver: FileReceiver): Promise<void> {
  // A file that fails to finish deletes itself.
  const content = await finished?.catch(() => undefined);
  if (content) await receiver.discard([content]);
  else await file.abandon();
}

/**
 * A parser of one body, and the fields that it fills. @fastify/multipart does not fit: it limits each part and not the
 * body, parses parts that call themselves JSON, and runs its hooks for every request.
 */
function newForm(
  contentType: string,
  limits: { fieldSize: number; files?: number },
  fail: (error: ApiError) => void,
): { form: BusboyInstance; fields: Fields } {
  const fields = new Map<string, string>();
  let form: BusboyInstance;
  if (/boundary=(?:""|\s*(?:;|$))/i.test(contentType)) throw malformed(); // Busboy accepts it
  try {
    form = new Busboy({
      headers: { "content-type": contentType },
      preservePath: true,
      limits: { ...HEAD_LIMITS, parts: MAX_FIELDS, ...limits },
    });
  } catch {
    throw malformed();
  }
  form.on("field", (name: string | undefined, value, _isNameCut, isCut) => {
    if (isCut) fail(tooLarge(limits.fieldSize));
    // A part names its own character set, and UTF-16 can contain half a surrogate pair.
    else if (!name?.isWellFormed() || !value.isWellFormed()) fail(malformed());
    else fields.set(name, value);
  });
  form.on("partsLimit", () => fail(tooManyFields()));
  form.on("error", () => fail(malformed()));
  return { form, fields };
}

class ClientGone extends Error {}
