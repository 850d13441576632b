import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { App } from "../../app.ts";
import { badRequest } from "../../errors.ts";
import { FileAnswer, Redirect } from "../../http/file-answers.ts";
import { integer, restOfPath, text } from "../../http/params.ts";
import { imageFormat, isShown, typeOfFile } from "../../media/file-types.ts";
import type { TemporaryFile } from "../../media/files/file-being-received.ts";
import { ImageRefused, type Images, ImagesBusy } from "../../media/images/images.ts";
import type { Reader } from "../../storage/transaction.ts";
import { attachmentOfToken, attachmentToDelete, attachmentToRead, uploadLimit } from "../access/attachments.ts";
import { signInFirst, viewerByKeyAlone } from "../access/authentication.ts";
import { thumbnailToRead } from "../access/pictures.ts";
import { spectator } from "../access/public-access.ts";
import { createAttachment, deleteAttachment, newAttachmentToken } from "../actions/attachments.ts";
import type { NewPicture } from "../actions/pictures.ts";
import { attachmentOnWire, wireAttachment } from "../presenters/attachments.ts";
import { type Attachment, attachmentsOf, pathIdOf, shownName, uploadSpaceUsed } from "../queries/attachments.ts";
import { organizationSetting } from "../queries/organization.ts";
import { pictureOf, THUMBNAIL_FORMATS } from "../queries/pictures.ts";
import type { User } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";
import { stripped } from "./upload-metadata.ts";
import { takesTurnsAs } from "./uploaded-pictures.ts";

export const getAttachments = endpoint({
  route: "GET /attachments",
  summary: "List the caller's uploads, newest first, with the messages that use them.",
  who: "guest",
  response: z.object({
    attachments: z.array(wireAttachment),
    upload_space_used: z.int().describe("Total size of the organization's uploads, in bytes."),
  }),
  handle: ({ viewer, reader }) => ({
    attachments: attachmentsOf(reader, viewer.id).map((attachment) => attachmentOnWire(reader, attachment)),
    upload_space_used: uploadSpaceUsed(reader),
  }),
});

export const removeAttachment = endpoint({
  route: "DELETE /attachments/{attachment_id}",
  summary: "Delete an upload. Messages keep their links to it.",
  who: "guest",
  params: { attachment_id: integer() },
  handle: async ({ viewer, params, transact, app }) => {
    const files = transact((tx) => deleteAttachment(tx, attachmentToDelete(tx, viewer, params.attachment_id)));
    await app.files.remove(files);
  },
});

const path = { realm_id_str: text(), filename: restOfPath() };

interface Params {
  realm_id_str: string;
  filename: string;
}

const pathId = ({ realm_id_str, filename }: Params): string => `${realm_id_str}/${filename}`;

/** Clients that put the URL into an image cannot send headers, so the key is in the query. */
function readerOf(
  { viewer, reader, app }: { viewer: User | null; reader: Reader; app: App },
  apiKey: string | undefined,
): User {
  if (viewer) return viewer;
  if (apiKey !== undefined) return viewerByKeyAlone(reader, app.keys, apiKey);
  const anybody = spectator(reader);
  if (!anybody) throw signInFirst();
  return anybody;
}

const apiKey = text().optional().describe("An API key, for callers that cannot send headers.");

/** After this time the request ends and the picture is measured later. */
const MAX_MEASURING_MS = 10_000;

/** Undefined if the upload is not a picture. */
async function pictureIn(
  images: Images,
  person: number,
  { path, head }: { path: string; head: Uint8Array },
): Promise<NewPicture | undefined> {
  const format = imageFormat(head);
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
  summary: "Upload a file, which messages can link to. The form field may have any name.",
  who: "guest",
  takesFiles: { limit: ({ reader }) => uploadLimit(reader) },
  response: z.object({
    uri: z.string().describe("Deprecated: url."),
    url: z.string().describe("For links in messages."),
    filename: z.string(),
  }),
  handle: async ({ viewer, files, reader, transact, app }) => {
    const [file] = files;
    if (!file) throw badRequest("file_missing");
    const name = shownName(file.filename);
    const store = async (content: TemporaryFile) => {
      const contentType = typeOfFile(content.head, { name, isUtf8: content.isUtf8 });
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
  summary: "Get a URL of an uploaded file that works for a minute without signing in.",
  who: "guest",
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
  summary: "Get an uploaded file. The caller must be able to read a message that uses it.",
  who: "anyone",
  outsideApi: true,
  sendsFile: true,
  params: {
    ...path,
    api_key: apiKey,
    download: text().optional().describe("If present, the file is downloaded instead of shown."),
  },
  handle: (call) => {
    const attachment = attachmentToRead(call.reader, readerOf(call, call.params.api_key), pathId(call.params));
    return fileOf(call.app, attachment, call.params.download !== undefined);
  },
});

export const downloadUploadedFile = endpoint({
  route: "GET /user_uploads/download/{realm_id_str}/{filename}",
  summary: "Download an uploaded file.",
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
  summary: "Get an uploaded file with a temporary URL.",
  who: "anyone",
  ignoreCredentials: true,
  outsideApi: true,
  sendsFile: true,
  params: { token: text(), filename: restOfPath() },
  handle: ({ reader, params, app }) =>
    fileOf(app, attachmentOfToken(reader, app.temporaryAddresses.nameIn(params.token)), false),
});

/** The browser can load only the file itself, runs no scripts, and gives it no origin. */
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
      // Browsers must check access each time.
      "cache-control": "private, no-cache",
    },
    read: (start, end) => app.files.read({ kind: "attachments", name: attachment.file, size }, start, end),
  });
}

/** In ASCII for old clients, and encoded for others (RFC 6266). */
function filenameParameters(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

export const getThumbnail = endpoint({
  route: "GET /user_uploads/thumbnail/{realm_id_str}/{filename}",
  summary: "Get a thumbnail of an uploaded picture. The last part of the path is the format.",
  who: "anyone",
  outsideApi: true,
  sendsFile: true,
  params: { ...path, api_key: apiKey },
  handle: (call) => {
    const [, upload = "", format = ""] = /^(.*)\/([^/]*)$/.exec(pathId(call.params)) ?? [];
    const file = thumbnailToRead(call.reader, readerOf(call, call.params.api_key), upload, format);
    return new FileAnswer({
      size: file.size,
      etag: file.name,
      headers: {
        "content-type": "image/webp",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        // Browsers must check access each time.
        "cache-control": "private, no-cache",
      },
      read: (start, end) => call.app.files.read(file, start, end),
    });
  },
});

export const getThumbnailStatus = endpoint({
  route: "GET /thumbnail/status/{realm_id_str}/{filename}",
  summary: "Check whether an uploaded file has a thumbnail yet.",
  who: "guest",
  params: path,
  response: z.object({ has_thumbnail: z.boolean() }),
  handle: ({ viewer, reader, params }) => ({
    has_thumbnail: pictureOf(reader, attachmentToRead(reader, viewer, pathId(params)).id)?.state === "ready",
  }),
});

/** For clients that do not know thumbnail formats. */
export const getThumbnailOf = endpoint({
  route: "GET /thumbnail",
  summary: "Deprecated: redirects to an uploaded picture or its thumbnail.",
  who: "anyone",
  outsideApi: true,
  sendsFile: true,
  params: {
    url: text().describe("URL of the upload, such as user_uploads/1/ab/…/name.png."),
    size: text().describe("thumbnail or full."),
    api_key: apiKey,
  },
  handle: (call) => {
    const { url, size, api_key } = call.params;
    if (size !== "thumbnail" && size !== "full") throw badRequest("invalid_size");
    const viewer = readerOf(call, api_key);
    const written = url.replace(/^\/?user_uploads\//, "");
    const attachment = attachmentToRead(call.reader, viewer, written);
    const upload = pathIdOf(attachment).split("/").map(encodeURIComponent).join("/");
    if (size === "full") return new Redirect(`/user_uploads/${upload}`);
    const { name } = THUMBNAIL_FORMATS.find(({ animated }) => !animated) as { name: string };
    thumbnailToRead(call.reader, viewer, written, name);
    return new Redirect(`/user_uploads/thumbnail/${upload}/${name}`);
  },
});
