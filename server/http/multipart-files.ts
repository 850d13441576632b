import type { IncomingMessage } from "node:http";
import { Busboy } from "@fastify/busboy";
import { type ApiError, badRequest } from "../errors.ts";
import { announcedLength, discardBody, MAX_FIELDS, multipartFields, tooLarge, tooManyFields } from "./body.ts";
import { boundaryOf, MultipartParts } from "./multipart-parts.ts";
import type { Fields } from "./params.ts";

/** A file whose contents are on disk. Nothing of it stays unless the handler stores it. */
export interface TemporaryFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** The first 4 kB. */
  readonly head: Buffer;
}

/** How large a file may be, and what is said of a larger one. */
export interface SizeLimit {
  readonly bytes: number;
  readonly refusal: () => ApiError;
}

/** A file whose contents come. */
export interface FileBeingReceived {
  /** The next one waits for the promise, where there is one, and the bytes stay as they are until then. */
  append(bytes: Uint8Array): Promise<void> | undefined;
  finish(): Promise<TemporaryFile>;
  /** Nothing of it stays. */
  abandon(): Promise<void>;
}

/** Where files are put while their request is read. */
export interface FileReceiver {
  begin(limit: SizeLimit): FileBeingReceived;
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
  options: {
    receiver: FileReceiver;
    maxFiles: number;
    /** Of each file. */
    limit: SizeLimit;
    /** Of everything that is no file. */
    fieldBytes: number;
  },
): Promise<MultipartForm> {
  const { maxFiles, limit, fieldBytes } = options;
  const maxBody = maxFiles * limit.bytes + fieldBytes;
  if (announcedLength(request) > maxBody) {
    await discardBody(request, 0);
    throw limit.refusal();
  }
  let received = 0;
  let form: IncomingForm | undefined;
  let stopReading = () => {};
  try {
    const incoming = new IncomingForm(request.headers["content-type"] ?? "", options);
    form = incoming;
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        received += chunk.length;
        if (received > maxBody) throw tooLarge(maxBody);
        const written = incoming.write(chunk);
        if (!written) giveBack(chunk);
        else {
          request.pause();
          written.then(() => {
            giveBack(chunk);
            request.resume();
          }, reject);
        }
      };
      const onData = (chunk: Buffer) => {
        try {
          read(chunk);
        } catch (error) {
          reject(error);
        }
      };
      stopReading = () => request.off("data", onData);
      request.on("close", () => request.readableEnded || reject(new CallerGone()));
      request.on("error", () => reject(new CallerGone()));
      request.on("end", resolve);
      request.on("data", onData);
    });
    return await incoming.finish();
  } catch (error) {
    stopReading();
    await form?.abandon();
    if (error instanceof CallerGone) return await new Promise<never>(() => {}); // nobody to tell
    await discardBody(request, received);
    throw error;
  }
}

/** A form as it comes: its files go to the receiver, and all the rest is a smaller form, which is read at the end. */
class IncomingForm {
  readonly #options: { receiver: FileReceiver; maxFiles: number; limit: SizeLimit; fieldBytes: number };
  readonly #parts: MultipartParts;
  readonly #boundary: string;
  readonly #files: { head: FileHead; file: FileBeingReceived; finished: Promise<TemporaryFile> | undefined }[] = [];
  #isFile = false;
  #waiting: Promise<void> | undefined;
  readonly #rest: Buffer[] = [];
  #restBytes = 0;
  #count = 0;

  constructor(
    contentType: string,
    options: { receiver: FileReceiver; maxFiles: number; limit: SizeLimit; fieldBytes: number },
  ) {
    this.#options = options;
    this.#boundary = boundaryOf(contentType);
    this.#parts = new MultipartParts(this.#boundary, {
      head: (bytes) => this.#begin(bytes),
      content: (bytes) => this.#content(bytes),
      end: () => this.#end(),
    });
  }

  /** The next chunk waits for the promise, where there is one, and this one stays as it is until then. */
  write(chunk: Buffer): Promise<void> | undefined {
    this.#waiting = undefined;
    this.#parts.write(chunk);
    return this.#waiting;
  }

  async finish(): Promise<MultipartForm> {
    this.#parts.end();
    const files: ReceivedFile[] = [];
    for (const { head, finished } of this.#files) files.push({ ...head, content: (await finished) as TemporaryFile });
    const end = Buffer.from(`--${this.#boundary}--\r\n`);
    const fields =
      this.#rest.length === 0
        ? new Map<string, string>()
        : await multipartFields(Buffer.concat([...this.#rest, end]), { "content-type": this.#contentType });
    return { fields, files };
  }

  async abandon(): Promise<void> {
    for (const { file, finished } of this.#files) {
      // One that cannot be finished is gone already.
      const content = await finished?.catch(() => undefined);
      if (content) await this.#options.receiver.discard([content]);
      else await file.abandon();
    }
  }

  get #contentType(): string {
    return `multipart/form-data; boundary="${this.#boundary}"`;
  }

  #begin(head: Buffer): void {
    this.#count += 1;
    if (this.#count > MAX_FIELDS) throw tooManyFields();
    const { maxFiles, receiver, limit } = this.#options;
    const file = this.#fileIn(head);
    this.#isFile = file !== undefined;
    if (!file) {
      this.#keep(Buffer.from(`--${this.#boundary}`));
      this.#keep(Buffer.from(head));
    } else {
      if (this.#files.length === maxFiles) throw tooManyFiles(maxFiles);
      this.#files.push({ head: file, file: receiver.begin(limit), finished: undefined });
    }
  }

  #content(bytes: Buffer): void {
    const current = this.#isFile ? this.#files.at(-1) : undefined;
    if (!current) this.#keep(Buffer.from(bytes));
    const waiting = current?.file.append(bytes);
    if (waiting) this.#waiting = this.#waiting ? Promise.all([this.#waiting, waiting]).then(() => {}) : waiting;
  }

  #end(): void {
    const current = this.#isFile ? this.#files.at(-1) : undefined;
    if (current) {
      current.finished = current.file.finish();
      current.finished.catch(() => {}); // thrown by finish()
    } else this.#keep(Buffer.from("\r\n"));
  }

  #keep(bytes: Buffer): void {
    this.#restBytes += bytes.length;
    if (this.#restBytes > this.#options.fieldBytes) throw tooLarge(this.#options.fieldBytes);
    this.#rest.push(bytes);
  }

  /** What a part says of its file; undefined where it is none. A form of this part alone is read within the call. */
  #fileIn(head: Buffer): FileHead | undefined {
    let file: FileHead | undefined;
    const form = new Busboy({
      headers: { "content-type": this.#contentType },
      preservePath: true,
      limits: { fieldNameSize: 1000, headerPairs: 20 },
    });
    form.on("file", (field: string | undefined, stream, filename: string | undefined, _encoding, claimedType) => {
      stream.resume();
      file = { field: field ?? "", filename: filename ?? "", claimedType };
    });
    form.on("error", () => {}); // it ends within a part
    form.write(Buffer.concat([Buffer.from(`--${this.#boundary}`), head, Buffer.from("x")]));
    return file;
  }
}

type FileHead = Omit<ReceivedFile, "content">;

/**
 * Frees what a socket's chunk holds, which nobody needs any more. Left to V8, that counts as memory that stays, and the
 * whole heap is looked through for every 30 MB that come.
 */
function giveBack(chunk: Buffer): void {
  if (chunk.length === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0);
}

const tooManyFiles = (max: number) => badRequest(max === 1 ? "Send one file." : `Send at most ${max} files.`);

class CallerGone extends Error {}
