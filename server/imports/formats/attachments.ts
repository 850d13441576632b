import type { Block, Inline } from "../blocks.ts";
import type { LeftOutKind } from "../model.ts";
import { asText, type Fields, fieldsIn, firstText } from "../values.ts";
import { secondsToTime } from "./slack-markup.ts";

/* Attachments of Slack's older kind, which apps of Slack and Mattermost send: a quoted text with a title and fields. */

export interface AttachmentReader {
  readonly parse: (text: string) => Block[];
  readonly count: (kind: LeftOutKind, count?: number) => void;
}

/** `body` replaces the attachment's text. */
export function attachmentBlocks(attachment: Fields, reader: AttachmentReader, body?: readonly Block[]): Block[] {
  const { parse } = reader;
  const text = asText(attachment.text);
  const quote: Block[] = [
    ...linked(inlinesIn(attachment.author_name, reader), attachment.author_link),
    ...linked(inBold(inlinesIn(attachment.title, reader)), attachment.title_link),
    ...(body ?? parse(text)),
    ...fieldsIn(attachment.fields).flatMap((field) => fieldBlocks(field, reader)),
    ...linked([], attachment.image_url),
    ...footer(attachment, reader),
  ];
  reader.count("buttons and forms", fieldsIn(attachment.actions).length);
  const pretext = parse(asText(attachment.pretext));
  if (quote.length > 0) return [...pretext, { quote }];
  const fallback = asText(attachment.fallback);
  return pretext.length > 0 || fallback.trim() === "" ? pretext : [{ quote: parse(fallback) }];
}

/** A short text. Its syntax can only be inside a line. */
function inlinesIn(value: unknown, { parse }: AttachmentReader): Inline[] {
  const text = firstText(value);
  if (text === undefined) return [];
  const blocks = parse(text);
  const inlines = blocks.flatMap((block) => (typeof block === "object" && "paragraph" in block ? block.paragraph : []));
  return inlines.length > 0 ? inlines : [{ text }];
}

const inBold = (inlines: readonly Inline[]): Inline[] =>
  inlines.map((inline) => ("text" in inline ? { ...inline, style: { ...inline.style, bold: true } } : inline));

function linked(label: readonly Inline[], link: unknown): Block[] {
  const url = firstText(link);
  if (url === undefined) return label.length === 0 ? [] : [{ paragraph: label }];
  return [{ paragraph: [{ url, label: label.length === 0 ? undefined : label }] }];
}

/** The title stands before the first line of the value. */
function fieldBlocks(field: Fields, reader: AttachmentReader): Block[] {
  const title = inBold(inlinesIn(field.title, reader));
  const value = reader.parse(asText(field.value));
  if (title.length === 0) return value;
  const named: Inline[] = [...title, { text: ":", style: { bold: true } }];
  const [first, ...others] = value;
  if (typeof first === "object" && "paragraph" in first)
    return [{ paragraph: [...named, { text: " " }, ...first.paragraph] }, ...others];
  return [{ paragraph: named }, ...value];
}

function footer(attachment: Fields, reader: AttachmentReader): Block[] {
  const parts = inlinesIn(attachment.footer, reader);
  const time = secondsToTime(attachment.ts);
  if (time !== undefined) parts.push(...(parts.length === 0 ? [] : [{ text: " " }]), { time });
  return parts.length === 0 ? [] : [{ paragraph: parts }];
}
