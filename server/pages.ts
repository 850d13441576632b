import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply } from "fastify";
import { EMOJI_DATA_PATH } from "./api/presenters/organization.ts";
import { EXTRA_EMOJI_PICTURE, loadingPicture, PictureCache } from "./api/presenters/pictures.ts";
import { extraEmojiUrl } from "./api/queries/pictures.ts";
import { ApiError, problem } from "./errors.ts";
import { requestSource } from "./http/caller.ts";
import { codeToNames, EXTRA_EMOJI } from "./markdown/emoji.ts";
import { LOADING_PICTURE } from "./markdown/media.ts";
import { typeOfPageFile } from "./media/file-types.ts";

/** For Hearth's pages, also in the desktop window. Other sites cannot embed them, and they load nothing else. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'", // Mantine sets styles of elements
  "img-src 'self' data:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Relative to this file, or to the bundle in .build/app/ (main/vite.config.ts). */
const BUILT = import.meta.url.endsWith(".ts") ? "../.build/ui" : "../ui";
export const pagesFolder = fileURLToPath(new URL(BUILT, import.meta.url));

/** Paths of pages. The chat page works at `/`, because relative URLs from `/chat/` and `/` are equal. */
const PAGES = {
  "/": "/chat/index.html",
  "/admin/": "/admin/index.html",
  "/reset/": "/reset/index.html",
  "/unsubscribe/": "/unsubscribe/index.html",
};

/**
 * Routes outside /api and /host, for everyone and without rate limits. Pages load dozens of files, and a list of people
 * loads hundreds of pictures. Only pictures that must be drawn count.
 */
export function addPages(
  fastify: FastifyInstance,
  folder = pagesFolder,
  invitedAt: (token: string, source: string) => number = () => 404,
  countDrawing: (source: string) => void = () => {},
): void {
  const pictures = new PictureCache();
  fastify.get(LOADING_PICTURE, (_request, reply) => sendPicture(reply, loadingPicture()));
  // Every number has a picture, so that a picture does not reveal whether the user exists.
  fastify.get<{ Params: { picture: string } }>("/generated/:picture", (request, reply) => {
    const [, name, medium] = /^(user-[1-9]\d{0,15}|organization)(-medium)?\.png$/.exec(request.params.picture) ?? [];
    if (!name) throw new ApiError("BAD_REQUEST", problem("picture_not_found"), {}, { status: 404 });
    const beforeDrawing = () => countDrawing(requestSource(request.raw));
    return sendPicture(reply, pictures.get(name, medium ? "medium" : "small", beforeDrawing));
  });
  for (const name of EXTRA_EMOJI)
    fastify.get(extraEmojiUrl(name), (_request, reply) => sendPicture(reply, EXTRA_EMOJI_PICTURE));
  let emojiData: string | undefined;
  fastify.get(EMOJI_DATA_PATH, (_request, reply) => {
    emojiData ??= JSON.stringify({ code_to_names: codeToNames() });
    return reply
      .type(typeOfPageFile(EMOJI_DATA_PATH))
      .header("cache-control", "public, max-age=86400")
      .header("x-content-type-options", "nosniff")
      .send(emojiData);
  });
  fastify.get("/admin", (_request, reply) =>
    secured(reply).header("cache-control", "no-store").redirect("/admin/", 302),
  );
  addJoinPage(fastify, folder, invitedAt);
  const notFoundPage = builtPage(folder, NOT_FOUND_PAGE);
  // Loaded lazily, because the desktop window imports only constants from this file. Without the plugin's headers,
  // because caching depends on the file's name.
  const headers = { acceptRanges: false, cacheControl: false, contentType: false, etag: false, lastModified: false };
  fastify.register(import("@fastify/static"), { root: folder, serve: false, preCompressed: true, ...headers });
  for (const [path, page] of Object.entries(PAGES)) {
    fastify.get(path, (_request, reply) => {
      if (!existsSync(join(folder, page))) throw notBuilt();
      return sendBuilt(reply, page);
    });
  }
  fastify.get("/*", (request, reply) => {
    // Not decoded: names of built files need no decoding.
    const path = request.raw.url?.split("?", 1)[0] ?? "";
    if (isBuilt(folder, path)) return sendBuilt(reply, path);
    return isOpenedByBrowser(request.raw) ? sendNotFoundPage(reply, notFoundPage()) : notFound(reply);
  });
}

function sendBuilt(reply: FastifyReply, path: string): FastifyReply {
  // Names in assets/ contain a hash of the content.
  const lasting = path.startsWith("/assets/") && !path.endsWith(".map");
  return secured(reply)
    .type(typeOfPageFile(path))
    .header("cache-control", lasting ? "public, max-age=31536000, immutable" : "no-store")
    .sendFile(path);
}

/** Whether this is a built file. Refuses special names, and links out of the folder. */
function isBuilt(folder: string, path: string): boolean {
  if (!/^(?:\/\w[\w.-]*)+$/.test(path)) return false;
  const file = join(folder, path);
  return existsSync(file) && statSync(file).isFile() && realpathSync(file) === join(realpathSync(folder), path);
}

/** Whether a person opened the URL. Programs do not request HTML, and no one opens the API as a page. */
export const isOpenedByBrowser = ({ headers, url = "" }: IncomingMessage): boolean =>
  /\btext\/html\b/.test(headers.accept ?? "") && !/^\/(?:api|host)(?:[/?]|$)/.test(url);

/** A page that is changed for each request, read from disk once. Returns undefined until it is built. */
export function builtPage(folder: string, path: string): () => string | undefined {
  const file = join(folder, path);
  let html: string | undefined;
  return () => {
    if (html === undefined && existsSync(file)) html = readFileSync(file, "utf8");
    return html;
  };
}

const NOT_FOUND_PAGE = "/not-found/index.html";

/** JSON if the pages are not built. */
function sendNotFoundPage(reply: FastifyReply, page: string | undefined): FastifyReply {
  if (page === undefined) return notFound(reply);
  // Its relative URLs must work at any depth.
  const html = page.replaceAll('="../', '="/');
  return secured(reply)
    .status(404)
    .type(typeOfPageFile(NOT_FOUND_PAGE))
    .header("cache-control", "no-store")
    .header("x-robots-tag", "noindex")
    .send(html);
}

function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}

const notBuilt = () => new ApiError("SERVER_NOT_READY", problem("pages_not_built"), {}, { status: 503 });

/** At the same depth as its URL, because its URLs are relative. */
const JOIN_PAGE = "/join/link/index.html";

/** The page of an invitation link. If the link is not valid, the same page says so, with status 404. */
function addJoinPage(
  fastify: FastifyInstance,
  folder: string,
  invitedAt: (token: string, source: string) => number,
): void {
  const joinPage = builtPage(folder, JOIN_PAGE);
  for (const path of ["/join", "/join/"])
    fastify.get(path, (_request, reply) => secured(reply).header("cache-control", "no-store").redirect("/join/open/"));
  fastify.get<{ Params: { token: string } }>("/join/:token", (request, reply) => {
    if (!/^[\w-]{1,100}$/.test(request.params.token)) return notFound(reply);
    return secured(reply).header("cache-control", "no-store").redirect(`/join/${request.params.token}/`);
  });
  fastify.get<{ Params: { token: string } }>("/join/:token/", (request, reply) => {
    const page = joinPage();
    if (page === undefined) throw notBuilt();
    const status = invitedAt(request.params.token, requestSource(request.raw));
    // Saves the page another request.
    const html = page.replace('<div id="root"', `$& data-status="${status}"`);
    return secured(reply)
      .status(status)
      .type(typeOfPageFile(JOIN_PAGE))
      .header("cache-control", "no-store")
      .header("x-robots-tag", "noindex")
      .send(html);
  });
}

const sendPicture = (reply: FastifyReply, picture: Buffer) =>
  reply
    .type("image/png")
    .header("cache-control", "public, max-age=31536000, immutable")
    .header("x-content-type-options", "nosniff")
    .send(picture);

const secured = (reply: FastifyReply) =>
  reply
    .header("content-security-policy", CONTENT_SECURITY_POLICY)
    .header("x-content-type-options", "nosniff")
    .header("referrer-policy", "no-referrer")
    .header("cross-origin-opener-policy", "same-origin");
