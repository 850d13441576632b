import { randomBytes } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { parentPort, workerData } from "node:worker_threads";
import { newAttachmentToken } from "../../api/actions/attachments.ts";
import { pathIdOf, shownName } from "../../api/queries/attachments.ts";
import { holdsOf } from "../../api/queries/messages.ts";
import { extraEmojiUrl } from "../../api/queries/pictures.ts";
import { Failure, type Problem } from "../../errors.ts";
import type { Choices, Counts } from "../../imports/choices.ts";
import { prepare, reopen } from "../../imports/preparation.ts";
import type { ContentOnDisk, ImportTarget, MeasuredPicture, RenderedText } from "../../imports/target.ts";
import { type TransferTools, transfer } from "../../imports/transfer.ts";
import type { Media, RenderContext } from "../../markdown/context.ts";
import { compileLinkifiers } from "../../markdown/linkifiers.ts";
import { renderMarkdown } from "../../markdown/render.ts";
import { imageFormat, typeOfFile } from "../../media/file-types.ts";
import { FileBeingReceived, unlimited } from "../../media/files/file-being-received.ts";
import { IncomingFile } from "../../media/files/incoming-file.ts";
import { failedMessage, type LastMessage } from "../backups/run-on-thread.ts";
import { fetchedFile } from "./fetched-files.ts";

/* Reads exports on a thread of its own, and sends what the server's thread writes. */

/** The parts of the organization that texts of an import can refer to. */
export interface WriteContext {
  linkifiers: Parameters<typeof compileLinkifiers>[0];
  defaultCodeLanguage: string | null;
  baseUrl: string;
  hostnames: readonly string[];
  maxLength: number;
  /** Whether messages show uploaded pictures. */
  showsPictures: boolean;
  formatName: string;
}

export interface ImportTask {
  /** The export: a file or a folder. */
  path: string;
  /** The folder for files of this task. */
  folder: string;
  /** Active custom emoji. */
  emoji: [name: string, { id: number; url: string }][];
  /** Undefined: the task only reads the export. */
  write?: {
    choices: Choices;
    context: WriteContext;
    /** The folder for files of messages before they are stored. */
    incoming: string;
    /** The folder of files that were fetched from the source. */
    fetched: string;
  };
}

export type ImportNews =
  | { type: "read"; messages: number }
  | { type: "written"; messages: number }
  | { type: "call"; id: number; method: keyof ImportTarget; args: readonly unknown[] };

/** The answer to a call. */
export interface CallResult {
  id: number;
  result?: unknown;
  problem?: Problem;
}

const port = parentPort;
if (!port)
  throw new Error("server/host/imports/import-thread.ts runs as a worker thread: use server/host/imports/imports.ts.");
const post = (message: ImportNews | LastMessage<Counts | null>) => port.postMessage(message);

const waiting = new Map<number, (result: CallResult) => void>();
let calls = 0;
port.on("message", (result: CallResult) => waiting.get(result.id)?.(result));

function call(method: keyof ImportTarget, args: readonly unknown[]): Promise<unknown> {
  const id = calls++;
  post({ type: "call", id, method, args });
  return new Promise((resolve, reject) => {
    waiting.set(id, ({ result, problem }) => {
      waiting.delete(id);
      if (problem) reject(new Failure(problem));
      else resolve(result);
    });
  });
}

const METHODS = [
  "people",
  "measure",
  "avatar",
  "emoji",
  "channel",
  "conversations",
  "messages",
  "texts",
  "finishChannel",
] as const satisfies (keyof ImportTarget)[];
const target = Object.fromEntries(
  METHODS.map((method) => [method, (...args: unknown[]) => call(method, args)]),
) as unknown as ImportTarget;

async function run({ path, folder, emoji, write }: ImportTask): Promise<Counts | null> {
  if (!write) {
    const emojiHere = emoji.map(([name]) => name);
    await prepare(path, folder, { onMessages: (messages) => post({ type: "read", messages }), emojiHere });
    return null;
  }
  const { archive, reader, messages, prepared } = await reopen(path, folder, (url) => fetchedFile(write.fetched, url));
  try {
    const source = { reader, survey: prepared.survey, messages };
    return await transfer(source, write.choices, target, tools(write, emoji));
  } finally {
    await archive.close();
  }
}

function tools({ context, incoming }: NonNullable<ImportTask["write"]>, emoji: ImportTask["emoji"]): TransferTools {
  return {
    render,
    store: (source) => store(source, incoming),
    upload(written) {
      const [token, name] = [newAttachmentToken(), shownName(written)];
      return { token, name, pathId: pathIdOf({ token, name }) };
    },
    async describe(content, name) {
      const contentType = typeOfFile(content.head, { name, isUtf8: content.isUtf8 });
      const picture = await pictureIn(content);
      const media = context.showsPictures ? mediaOf(contentType, picture) : undefined;
      return { contentType, picture, media };
    },
    maxLength: context.maxLength,
    context: {
      linkifiers: compileLinkifiers(context.linkifiers),
      ...(context.defaultCodeLanguage !== null && { defaultCodeLanguage: context.defaultCodeLanguage }),
      baseUrl: context.baseUrl,
      hostnames: context.hostnames,
      emoji: new Map(emoji),
    },
    extraEmojiUrl,
    formatName: context.formatName,
    onProgress: (messages) => post({ type: "written", messages }),
  };
}

function render(content: string, context: RenderContext): RenderedText {
  const rendered = renderMarkdown(content, context);
  const { html, links, mentions, awaitsPictures } = rendered;
  return { content, html, links, awaitsPictures, holds: holdsOf(rendered), mentionedIds: mentions.userIds };
}

async function store(source: Readable, folder: string): Promise<ContentOnDisk> {
  const path = join(folder, randomBytes(16).toString("hex"));
  const none = Promise.resolve();
  const content = new IncomingFile(path, {
    open,
    onDisk: (operation) => operation(),
    mayStayOpen: () => true,
    bufferSize: () => 1 << 20,
    afterWrite: () => none,
    afterFlush: () => none,
  });
  const file = new FileBeingReceived(path, content, unlimited, { room: none, ended: () => {} });
  try {
    for await (const chunk of source) await file.append(chunk);
  } catch (error) {
    await file.abandon();
    throw error;
  }
  return file.finish();
}

async function pictureIn({ head, path }: ContentOnDisk): Promise<MeasuredPicture | undefined> {
  const format = imageFormat(head);
  const info = format && (await target.measure(path));
  return info && { format, info };
}

/** Pictures have placeholders until there are thumbnails. */
function mediaOf(contentType: string, picture: MeasuredPicture | undefined): Media | undefined {
  if (contentType.startsWith("video/")) return { kind: "video" };
  if (contentType.startsWith("audio/")) return { kind: "audio" };
  if (!picture) return undefined;
  const { width, height, frames } = picture.info;
  return { kind: "picture", contentType, dimensions: { width, height }, isAnimated: frames > 1, thumbnail: undefined };
}

run(workerData as ImportTask)
  .then(
    (result) => post({ type: "done", result }),
    (error: NodeJS.ErrnoException) => post(failedMessage(error)),
  )
  .finally(() => port.close());
