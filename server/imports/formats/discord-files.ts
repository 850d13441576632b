import { dirname } from "node:path/posix";
import { type Archive, safeName } from "../archive.ts";
import { type Block, link, paragraph, styled, text } from "../document.ts";
import type { FileSource, ImportedFile, LeftOut } from "../model.ts";
import { asCount, asList, asText, type Fields, fieldsIn, fieldsOf, firstText } from "../values.ts";
import { type DiscordNames, discordBlocks } from "./discord-markup.ts";

/* Attachments, stickers and embeds of Discord messages. */

/**
 * Finds the file of an exported URL. If media were downloaded, the URL is a path: relative to the JSON file or the
 * folder of the export, or absolute on another machine. Never returns a path outside of the archive.
 */
export function sourceOf(archive: Archive, jsonFile: string, url: string): FileSource {
  if (/^https?:\/\//i.test(url)) return URL.canParse(url) ? { url } : "missing";
  const folders = foldersAbove(jsonFile);
  for (const path of new Set([url, decoded(url)])) {
    const parts = path.replaceAll("\\", "/").split("/");
    // Without its first folders, an absolute path leads to the same file in the archive.
    for (let from = 0; from < Math.min(parts.length, 40); from++) {
      for (const folder of folders) {
        const name = within(folder, parts.slice(from));
        if (name !== undefined && archive.files.has(name)) return { path: name };
      }
    }
  }
  return "missing";
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function foldersAbove(name: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(name); folder !== "." && folders.length < 10; folder = dirname(folder))
    folders.push(folder);
  return [...folders, ""];
}

function within(folder: string, parts: readonly string[]): string | undefined {
  const names = folder === "" ? [] : folder.split("/");
  for (const part of parts) {
    if (part === ".." && names.pop() === undefined) return undefined;
    if (part !== ".." && part !== "." && part !== "") names.push(part);
  }
  return safeName(names.join("/"));
}

interface Holder {
  readonly archive: Archive;
  readonly jsonFile: string;
  /** Unique in the export. */
  readonly messageId: string;
}

const MAX_FILES = 100;

export function attachedFiles(message: Fields, holder: Holder): ImportedFile[] {
  return [...attachments(message, holder), ...stickerFiles(message, holder)];
}

function attachments(message: Fields, { archive, jsonFile, messageId }: Holder): ImportedFile[] {
  return fieldsIn(message.attachments)
    .slice(0, MAX_FILES)
    .flatMap((attachment, index) => {
      const url = firstText(attachment.url);
      if (url === undefined) return [];
      return {
        id: `${messageId}/${firstText(attachment.id) ?? index}`,
        name: firstText(attachment.fileName) ?? lastPart(url),
        size: asCount(attachment.fileSizeBytes),
        source: sourceOf(archive, jsonFile, url),
      };
    });
}

const lastPart = (url: string): string => decoded(url.split(/[?#]/)[0]?.split(/[\\/]/).pop() ?? "") || "file";

const STICKER_TYPES: ReadonlyMap<unknown, string> = new Map([
  ["Png", "png"],
  ["Apng", "png"],
  ["Gif", "gif"],
]);

/** Lottie stickers are animations in JSON, so only their name is shown. */
function stickerFiles(message: Fields, { archive, jsonFile, messageId }: Holder): ImportedFile[] {
  return fieldsIn(message.stickers)
    .slice(0, MAX_FILES)
    .flatMap(({ format, name, sourceUrl }, index) => {
      const [type, url] = [STICKER_TYPES.get(format), firstText(sourceUrl)];
      if (type === undefined || url === undefined) return [];
      const source = sourceOf(archive, jsonFile, url);
      return { id: `${messageId}/sticker-${index}`, name: `${firstText(name, "sticker")}.${type}`, source };
    });
}

export const stickerNames = (message: Fields): Block[] =>
  fieldsIn(message.stickers)
    .slice(0, MAX_FILES)
    .filter(({ format, name }) => firstText(name) !== undefined && !STICKER_TYPES.has(format))
    .map(({ name }) => paragraph(styled("italic", [text(asText(name))])));

interface Embeds {
  readonly blocks: Block[];
  readonly files: ImportedFile[];
}

/** Discord adds a preview for each link in a text. Other embeds are the text of bots. */
export function readEmbeds(message: Fields, names: DiscordNames, holder: Holder, leftOut: LeftOut): Embeds {
  const content = asText(message.content);
  const result: Embeds = { blocks: [], files: [] };
  for (const [index, embed] of fieldsIn(message.embeds).slice(0, MAX_FILES).entries()) {
    const url = firstText(embed.url);
    if (url !== undefined && content.includes(url.replace(/\/$/, ""))) {
      leftOut.add("link previews");
      continue;
    }
    const blocks = embedBlocks(embed, url, names);
    if (blocks.length > 0) result.blocks.push({ is: "quote", blocks });
    result.files.push(...embedFiles(embed, { ...holder, messageId: `${holder.messageId}/embed-${index}` }));
  }
  return result;
}

function embedBlocks(embed: Fields, url: string | undefined, names: DiscordNames): Block[] {
  const author = firstText(fieldsOf(embed.author).name);
  const title = firstText(embed.title);
  const footer = firstText(fieldsOf(embed.footer).text);
  const fields = fieldsIn(embed.fields).slice(0, 25);
  return [
    ...(author === undefined ? [] : [paragraph(text(author))]),
    ...(title === undefined ? [] : [paragraph(styled("bold", [url === undefined ? text(title) : link(url, title)]))]),
    ...discordBlocks(asText(embed.description), names),
    ...fields.flatMap(({ name, value }) => [
      paragraph(styled("bold", [text(asText(name))])),
      ...discordBlocks(asText(value), names),
    ]),
    ...(footer === undefined ? [] : [paragraph(text(footer))]),
  ];
}

/** Pictures, and videos if they are in the archive. Ignores thumbnails. */
function embedFiles(embed: Fields, { archive, jsonFile, messageId }: Holder): ImportedFile[] {
  const pictures = asList(embed.images);
  const single = pictures.length === 0 ? [embed.image] : [];
  const found = [...pictures, ...single, embed.video].slice(0, MAX_FILES);
  return found.flatMap((item, index) => {
    const url = firstText(fieldsOf(item).url);
    const source = url === undefined ? "missing" : sourceOf(archive, jsonFile, url);
    if (url === undefined || source === "missing") return [];
    const isVideo = index === found.length - 1;
    if (isVideo && !("path" in source)) return [];
    return {
      id: `${messageId}-${index}`,
      name: lastPart(firstText(fieldsOf(item).canonicalUrl, url) as string),
      source,
    };
  });
}
