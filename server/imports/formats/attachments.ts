import { type Block, type Inline, linkOrUrl, paragraph, styled, text } from "../document.ts";
import type { LeftOut } from "../model.ts";
import { asText, type Fields, fieldsIn, firstText, secondsToTime } from "../values.ts";

/* Attachments of Slack's older kind, which apps of Slack and Mattermost send: a quoted text with a title and fields. */

export interface AttachmentReader {
  readonly parse: (content: string) => Block[];
  readonly leftOut: LeftOut;
}

/** `body` replaces the attachment's text. */
export function attachmentBlocks(attachment: Fields, reader: AttachmentReader, body?: readonly Block[]): Block[] {
  const { parse } = reader;
  const blocks: Block[] = [
    ...linked(inlinesIn(attachment.author_name, reader), attachment.author_link),
    ...linked(inBold(inlinesIn(attachment.title, reader)), attachment.title_link),
    ...(body ?? parse(asText(attachment.text))),
    ...fieldsIn(attachment.fields).flatMap((field) => fieldBlocks(field, reader)),
    ...linked([], attachment.image_url),
    ...footer(attachment, reader),
  ];
  reader.leftOut.add("buttons and forms", fieldsIn(attachment.actions).length);
  const pretext = parse(asText(attachment.pretext));
  if (blocks.length > 0) return [...pretext, { is: "quote", blocks }];
  const fallback = asText(attachment.fallback);
  return pretext.length > 0 || fallback.trim() === "" ? pretext : [{ is: "quote", blocks: parse(fallback) }];
}

/** A short text without blocks. */
function inlinesIn(value: unknown, { parse }: AttachmentReader): Inline[] {
  const content = firstText(value);
  if (content === undefined) return [];
  const inlines = parse(content).flatMap((block) => (block.is === "paragraph" ? block.inside : []));
  return inlines.length > 0 ? inlines : [text(content)];
}

const inBold = (inside: readonly Inline[]): Inline[] => (inside.length === 0 ? [] : [styled("bold", inside)]);

function linked(label: readonly Inline[], link: unknown): Block[] {
  const url = firstText(link);
  if (url === undefined) return label.length === 0 ? [] : [paragraph(...label)];
  return [paragraph(...linkOrUrl(url, label))];
}

/** Writes the title and the first line of the value in the same line. */
function fieldBlocks(field: Fields, reader: AttachmentReader): Block[] {
  const title = inlinesIn(field.title, reader);
  const value = reader.parse(asText(field.value));
  if (title.length === 0) return value;
  const named = styled("bold", [...title, text(":")]);
  const [first, ...others] = value;
  if (first?.is === "paragraph") return [paragraph(named, text(" "), ...first.inside), ...others];
  return [paragraph(named), ...value];
}

function footer(attachment: Fields, reader: AttachmentReader): Block[] {
  const parts = inlinesIn(attachment.footer, reader);
  const at = secondsToTime(attachment.ts);
  if (at !== undefined) parts.push(...(parts.length === 0 ? [] : [text(" ")]), { is: "time", at });
  return parts.length === 0 ? [] : [paragraph(...parts)];
}
