import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { App } from "../../app.ts";
import { badRequest } from "../../errors.ts";
import { FileAnswer } from "../../http/file-answers.ts";
import { restOfPath, text } from "../../http/params.ts";
import type { TemporaryFile } from "../../media/files/file-being-received.ts";
import { isShown, typeOfFile } from "../../media/files/file-types.ts";
import { sniffImage } from "../../media/images/header.ts";
import { ImageRefused, type Images, ImagesBusy } from "../../media/images/images.ts";
import { attachmentOfToken, attachmentToRead, uploadLimit } from "../access/attachments.ts";
import { createAttachment, newAttachmentToken } from "../actions/attachments.ts";
import type { NewPicture } from "../actions/pictures.ts";
import { type Attachment, pathIdOf } from "../queries/attachments.ts";
import { organizationSetting } from "../queries/organization.ts";
import { endpoint } from "./endpoint.ts";
import { stripped } from "./upload-metadata.ts";
import { apiKey, path, pathId, readerOf } from "./upload-params.ts";
import { takesTurnsAs } from "./uploaded-pictures.ts";

const MAX_FILENAME = 200;

/** What a sender calls a file, as people see it: without folders and what could deceive in a list of files. */
function shownName(filename: string): string {
  const base = filename.slice(Math.max(filename.lastIndexOf("/"), filename.lastIndexOf("\\")) + 1);
  const plain = base
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "")
    .trim();
  if (/^\.*$/.test(plain)) return "file";
  const letters = [...plain];
  if (letters.length <= MAX_FILENAME) return plain;
  const ending = /\.[^.]{1,10}$/.exec(plain)?.[0] ?? "";
  return letters.slice(0, MAX_FILENAME - [...ending].length).join("") + ending;
}

/** An upload waits so long for its picture to be measured; then the answer goes out, and it is measured later. */
const MAX_MEASURING_MS = 10_000;

/** What is known of an upload that is a picture; undefined for any other. */
async function pictureIn(
  images: Images,
  person: number,
  { path, head }: { path: string; head: Uint8Array },
): Promise<NewPicture | undefined> {
  const format = sniffImage(head);
  if (!format) return undefined;
  try {
    const late = sleep(MAX_MEASURING_MS, undefined, { ref: false });
    return { format, info: await Promise.race([images.info(person, { path }), late]) };
  } catch (error) {
    if (error instanceof ImagesBusy) return { format, info: undefined };
    if (error instanceof ImageRefused) return undefined;
    throw error;
  }
}

export const uploadFile = endpoint({
  route: "POST /user_uploads",
  summary: "Upload a file, for messages to link to. Its part of the form may have any name.",
  who: "member",
  guests: true,
  takesFiles: { limit: ({ reader }) => uploadLimit(reader) },
  response: z.object({
    uri: z.string().describe("Deprecated: url."),
    url: z.string().describe("For links in messages."),
    filename: z.string(),
  }),
  handle: async ({ viewer, files, reader, transact, app }) => {
    const [file] = files;
    if (!file) throw badRequest("There is no file: send one in a part of multipart/form-data.");
    const name = shownName(file.filename);
    const store = async (content: TemporaryFile) => {
      const contentType = typeOfFile(content.head, name);
      const token = newAttachmentToken();
      const picture = await pictureIn(app.images, takesTurnsAs(viewer), content);
      const attachment = await app.files.store([{ kind: "attachments", content }], ([stored]) =>
        transact((tx) => {
          if (!stored) throw new Error("A file was stored without a name.");
          return createAttachment(tx, viewer, { file: stored, token, name, contentType, picture });
        }),
      );
      if (picture) app.thumbnailer.wake();
      return attachment;
    };
    const isStripped = organizationSetting(reader, "strip_image_metadata");
    const attachment = await (isStripped ? stripped(app, file.content, store) : store(file.content));
    const url = `/user_uploads/${pathIdOf(attachment)}`;
    return { uri: url, url, filename: name };
  },
});

export const getFileTemporaryUrl = endpoint({
  route: "GET /user_uploads/{realm_id_str}/{filename}",
  summary: "An address of an uploaded file that works without signing in, for a minute.",
  who: "member",
  guests: true,
  spectators: true,
  params: path,
  response: z.object({ url: z.string() }),
  handle: ({ viewer, reader, params, app }) => {
    const attachment = attachmentToRead(reader, viewer, pathId(params));
    const name = encodeURIComponent(pathIdOf(attachment).split("/").at(-1) as string);
    return { url: `/user_uploads/temporary/${app.temporaryAddresses.sign(attachment.token)}/${name}` };
  },
});

export const getUploadedFile = endpoint({
  route: "GET /user_uploads/{realm_id_str}/{filename}",
  summary: "An uploaded file, for those who may read a message that holds it.",
  who: "anyone",
  outsideApi: true,
  sendsFile: true,
  params: {
    ...path,
    api_key: apiKey,
    download: text().optional().describe("If there, it is not shown but downloaded."),
  },
  handle: (call) => {
    const attachment = attachmentToRead(call.reader, readerOf(call, call.params.api_key), pathId(call.params));
    return fileOf(call.app, attachment, call.params.download !== undefined);
  },
});

export const downloadUploadedFile = endpoint({
  route: "GET /user_uploads/download/{realm_id_str}/{filename}",
  summary: "An uploaded file, downloaded and not shown.",
  who: "anyone",
  outsideApi: true,
  sendsFile: true,
  params: { ...path, api_key: apiKey },
  handle: (call) => {
    const attachment = attachmentToRead(call.reader, readerOf(call, call.params.api_key), pathId(call.params));
    return fileOf(call.app, attachment, true);
  },
});

export const getTemporaryFile = endpoint({
  route: "GET /user_uploads/temporary/{token}/{filename}",
  summary: "An uploaded file, for whoever has been given this address a minute ago.",
  who: "anyone",
  ignoreCredentials: true,
  outsideApi: true,
  sendsFile: true,
  params: { token: text(), filename: restOfPath() },
  handle: ({ reader, params, app }) =>
    fileOf(app, attachmentOfToken(reader, app.temporaryAddresses.nameIn(params.token)), false),
});

/** A browser that is shown a file may load it and nothing else, run no script, and have no origin. */
const FILE_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

function fileOf(app: App, attachment: Attachment, asDownload: boolean): FileAnswer {
  const { name, content_type: type, size, token } = attachment;
  const shown = isShown(type) && !asDownload;
  return new FileAnswer({
    size,
    etag: token,
    headers: {
      "content-type": type === "text/plain" ? "text/plain; charset=utf-8" : type,
      "content-disposition": `${shown ? "inline" : "attachment"}; ${filenameParameters(name)}`,
      "content-security-policy": FILE_POLICY,
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      // Whoever keeps it asks each time whether they may still read it.
      "cache-control": "private, no-cache",
    },
    read: (start, end) => app.files.read({ kind: "attachments", name: attachment.file, size }, start, end),
  });
}

/** The name twice (RFC 6266): in ASCII for old clients, and encoded for all others. */
function filenameParameters(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
