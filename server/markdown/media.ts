import type { Token } from "markdown-it";
import type { InlinePicture, Media, Rendering } from "./context.ts";
import { escapeHtml, unescapeHtml } from "./plain.ts";

/*
 * Previews of uploaded pictures, videos and sound that a message links to. A picture is shown as a thumbnail under the
 * paragraph with the link, or as a placeholder until the thumbnail exists (docs/protocol.md#inline-pictures).
 */

/** A message with more previews shows none, only the links. */
const MAX_PREVIEWS = 24;
/** The server draws it (server/pages.ts). Most clients replace it by their own. */
export const LOADING_PICTURE = "/generated/loading.png";
const UPLOADS = "/user_uploads/";

const attribute = (name: string, value: string): string => ` ${name}="${escapeHtml(value)}"`;

interface UploadLink {
  href: string;
  title: string;
  media: Media;
}

/** The links to uploads that this message shows, each once. Links in quotes and tables stay links. */
export function shownUploads(blocks: readonly Token[], rendering: Rendering): ReadonlyMap<Token, UploadLink> {
  const { upload } = rendering.context;
  const shown = new Map<Token, UploadLink>();
  if (!upload || ![...rendering.links].some((href) => href.startsWith(UPLOADS))) return shown;
  const seen = new Set<string>();
  let closed = 0;
  for (const block of blocks) {
    if (/^(?:blockquote|table)_/.test(block.type)) closed += block.nesting;
    if (block.type !== "inline" || closed > 0) continue;
    for (const [index, token] of (block.children ?? []).entries()) {
      const href = token.type === "link_open" ? String(token.attrGet("href") ?? "") : "";
      if (!href.startsWith(UPLOADS) || seen.has(href)) continue;
      seen.add(href);
      const media = upload(href.slice(UPLOADS.length));
      if (media) shown.set(token, { href, title: titleOf(block.children ?? [], index, href), media });
    }
  }
  if (shown.size > MAX_PREVIEWS) return new Map();
  for (const { href, media } of shown.values())
    if (media.kind === "picture" && media.thumbnail === undefined)
      rendering.awaitedPictures.add(href.slice(UPLOADS.length));
  return shown;
}

/** The link's text, or the file's name if it has none. */
function titleOf(tokens: readonly Token[], open: number, href: string): string {
  const end = tokens.findIndex((token, index) => index > open && token.type === "link_close");
  const text = tokens
    .slice(open + 1, end)
    .map(({ content }) => content)
    .join("")
    .trim();
  return text === "" || text === href ? (href.split("/").at(-1) as string) : text;
}

/** The preview under the paragraph of this link; "" for sound, which replaces the link. */
export function mediaUnder({ href, title, media }: UploadLink): string {
  if (media.kind === "audio") return "";
  if (media.kind === "picture") return pictureHtml(href, title, media);
  const video = `<video preload="metadata"${attribute("src", href)}></video>`;
  const open = `<a${attribute("href", href)}${attribute("title", title)}>`;
  return `<div class="message_inline_image message_inline_video">${open}${video}</a></div>`;
}

/** An audio player, in place of the link. */
export const audioHtml = ({ href, title }: UploadLink): string =>
  `<audio controls=""${attribute("preload", "metadata")}${attribute("src", href)}${attribute("title", title)}></audio>`;

function pictureHtml(href: string, title: string, picture: InlinePicture): string {
  const open = `<a${attribute("href", href)}${attribute("title", title)}>`;
  return `<div class="message_inline_image">${open}${imgHtml(href, picture)}</a></div>`;
}

function imgHtml(href: string, picture: InlinePicture): string {
  const { contentType, dimensions, isAnimated, thumbnail, transcoded } = picture;
  const source =
    thumbnail === undefined ? LOADING_PICTURE : `${UPLOADS}thumbnail/${href.slice(UPLOADS.length)}/${thumbnail}`;
  return [
    "<img",
    thumbnail === undefined ? ' class="image-loading-placeholder"' : "",
    isAnimated ? ' data-animated="true"' : "",
    attribute("data-original-content-type", contentType),
    dimensions ? attribute("data-original-dimensions", `${dimensions.width}x${dimensions.height}`) : "",
    thumbnail !== undefined && transcoded !== undefined ? attribute("data-transcoded-image", transcoded) : "",
    attribute("src", source),
    ">",
  ].join("");
}

const PLACEHOLDER =
  /<div class="message_inline_image"><a href="([^"<>]*)" title="([^"<>]*)"><img class="image-loading-placeholder"[^<>]*><\/a><\/div>/g;
const PLACEHOLDERS = new RegExp(`(\\n?)((?:${PLACEHOLDER.source})+)`, "g");

/**
 * Updates the placeholders of a rendered message. `find` returns the current state of a picture by the path of its link
 * after `/user_uploads/`; undefined removes the preview and leaves the link.
 */
export function withPictures(html: string, find: (path: string) => InlinePicture | undefined): string {
  const exchange = (_all: string, href: string, title: string) => {
    const written = unescapeHtml(href);
    const picture = find(written.slice(UPLOADS.length));
    return picture ? pictureHtml(written, unescapeHtml(title), picture) : "";
  };
  return html.replace(PLACEHOLDERS, (all, newline: string, placeholders: string, ...rest) => {
    const shown = placeholders.replace(PLACEHOLDER, exchange);
    const end = (rest.at(-2) as number) + all.length;
    // The line of previews is removed with its last preview.
    return shown === "" && !html.startsWith("<div", end) ? "" : newline + shown;
  });
}
