import { badRequest } from "../../errors.ts";
import { FileAnswer, Redirect } from "../../http/file-answers.ts";
import { text } from "../../http/params.ts";
import { attachmentToRead } from "../access/attachments.ts";
import { thumbnailToRead } from "../access/pictures.ts";
import { pathIdOf } from "../queries/attachments.ts";
import { THUMBNAIL_FORMATS } from "../queries/pictures.ts";
import { endpoint } from "./endpoint.ts";
import { apiKey, path, pathId, readerOf } from "./upload-params.ts";

export const getThumbnail = endpoint({
  route: "GET /user_uploads/thumbnail/{realm_id_str}/{filename}",
  summary: "A thumbnail of an uploaded picture; behind the picture's path stands the name of a format.",
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
        // Whoever keeps it asks each time whether they may still read it.
        "cache-control": "private, no-cache",
      },
      read: (start, end) => call.app.files.read(file, start, end),
    });
  },
});

/** What clients from before the formats ask for. */
export const getThumbnailOf = endpoint({
  route: "GET /thumbnail",
  summary: "Deprecated: leads to an uploaded picture, or to its thumbnail.",
  who: "anyone",
  outsideApi: true,
  sendsFile: true,
  params: {
    url: text().describe("Of the upload, such as user_uploads/1/ab/…/name.png."),
    size: text().describe("thumbnail, or full."),
    api_key: apiKey,
  },
  handle: (call) => {
    const { url, size, api_key } = call.params;
    if (size !== "thumbnail" && size !== "full") throw badRequest("Invalid size.");
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
