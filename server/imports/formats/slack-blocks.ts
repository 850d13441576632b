import type { Block, Inline, Style } from "../blocks.ts";
import { emojiCharacter } from "../emoji-names.ts";
import type { LeftOutKind } from "../model.ts";
import { asCount, asFields, asList, asText, type Fields, fieldsIn, firstText } from "../values.ts";
import { attachmentBlocks } from "./attachments.ts";
import {
  channelInline,
  decoded,
  type ListRow,
  linkInline,
  nestedLists,
  parseMrkdwn,
  type SlackNames,
  secondsToTime,
  withEmoji,
} from "./slack-markup.ts";

/* Reads Slack's blocks, and the attachments of messages. */

export interface SlackTexts extends SlackNames {
  readonly count: (kind: LeftOutKind, count?: number) => void;
}

/** The blocks' text. Undefined if a block's kind is unknown, so that the text of the message is better. */
export function readBlocks(value: unknown, names: SlackTexts): Block[] | undefined {
  const read = fieldsIn(value).map((block) => readBlock(block, names));
  return read.every((blocks) => blocks !== undefined) ? read.flat() : undefined;
}

function readBlock(block: Fields, names: SlackTexts): Block[] | undefined {
  switch (block.type) {
    case "rich_text":
      return richText(block.elements, names);
    case "section":
      return section(block, names);
    case "header":
      return [{ heading: [{ text: plainText(block.text) }], level: 2 }];
    case "context":
      return context(block, names);
    case "divider":
      return ["rule"];
    case "image":
      return [{ paragraph: [imageLink(block)] }];
    case "table":
      return [{ table: asList(block.rows).map((row) => fieldsIn(row).map((cell) => tableCell(cell, names))) }];
    case "video":
      return video(block);
    case "actions":
    case "input":
    case "context_actions":
      names.count("buttons and forms");
      return [];
    case "file": // also in the message's files
      return [];
    default:
      return undefined;
  }
}

/** The text of an object such as `{type: "plain_text", text: "…"}`. */
const plainText = (value: unknown): string => withEmoji(decoded(asText(asFields(value)?.text)));

function textBlocks(value: unknown, names: SlackTexts): Block[] {
  const fields = asFields(value);
  if (!fields) return [];
  if (fields.type === "mrkdwn") return parseMrkdwn(asText(fields.text), names);
  const text = plainText(fields);
  return text.trim() === "" ? [] : [{ paragraph: [{ text }] }];
}

function section(block: Fields, names: SlackTexts): Block[] {
  const fields = fieldsIn(block.fields).flatMap((field) => textBlocks(field, names));
  const blocks = [...textBlocks(block.text, names), ...fields];
  const accessory = asFields(block.accessory);
  if (accessory?.type === "image") blocks.push({ paragraph: [imageLink(accessory)] });
  else if (accessory) names.count("buttons and forms");
  return blocks;
}

function context(block: Fields, names: SlackTexts): Block[] {
  return fieldsIn(block.elements).flatMap((element): Block[] =>
    element.type === "image" ? [{ paragraph: [imageLink(element)] }] : textBlocks(element, names),
  );
}

function imageLink(image: Fields): Inline {
  const url = firstText(image.image_url, asFields(image.slack_file)?.url);
  const text = firstText(plainText(image.title), image.alt_text);
  if (url === undefined) return { text: text ?? "" };
  return { url: decoded(url), label: text === undefined ? undefined : [{ text: decoded(text) }] };
}

function video(block: Fields): Block[] {
  const url = firstText(block.title_url, block.video_url);
  const title = firstText(plainText(block.title), block.alt_text);
  const label = title === undefined ? undefined : [{ text: title }];
  const link: Inline = url === undefined ? { text: title ?? "" } : { url, label };
  return [{ paragraph: [link] }, { paragraph: [{ text: plainText(block.description) }] }];
}

function tableCell(cell: Fields, names: SlackTexts): Inline[] {
  if (cell.type !== "rich_text") return [{ text: asText(cell.text) }];
  return richText(cell.elements, names).flatMap((block, index): Inline[] => {
    const inlines = typeof block === "object" && "paragraph" in block ? block.paragraph : [];
    return index === 0 ? [...inlines] : [{ text: "\n" }, ...inlines];
  });
}

function richText(elements: unknown, names: SlackTexts): Block[] {
  const blocks: Block[] = [];
  let rows: ListRow[] = [];
  const endList = () => {
    blocks.push(...nestedLists(rows));
    rows = [];
  };
  for (const element of fieldsIn(elements)) {
    if (element.type === "rich_text_list") {
      rows.push(...listRows(element, names));
      continue;
    }
    endList();
    const last = blocks.at(-1);
    const read = richElement(element, names);
    // Sections follow each other without a blank line.
    if (typeof last === "object" && "paragraph" in last && typeof read === "object" && "paragraph" in read)
      blocks[blocks.length - 1] = { paragraph: [...last.paragraph, { text: "\n" }, ...read.paragraph] };
    else blocks.push(read);
  }
  endList();
  return blocks;
}

function richElement(element: Fields, names: SlackTexts): Block {
  const inlines = fieldsIn(element.elements).flatMap((leaf) => richLeaf(leaf, names));
  if (element.type === "rich_text_quote") return { quote: [{ paragraph: inlines }] };
  if (element.type !== "rich_text_preformatted") return { paragraph: inlines };
  const code = fieldsIn(element.elements).map((leaf) =>
    firstText(leaf.text) === undefined ? asText(leaf.url) : asText(leaf.text),
  );
  return { code: code.join(""), language: asText(element.language) };
}

function listRows(element: Fields, names: SlackTexts): ListRow[] {
  const indent = asCount(element.indent) ?? 0;
  const first = (asCount(element.offset) ?? 0) + 1;
  return fieldsIn(element.elements).map((item, index) => ({
    indent,
    item: [richElement(item, names)],
    number: element.style === "ordered" ? first + index : undefined,
  }));
}

function styleOf(value: unknown): Style | undefined {
  const style = asFields(value);
  return (
    style && {
      bold: style.bold === true,
      italic: style.italic === true,
      strike: style.strike === true,
      code: style.code === true,
    }
  );
}

function richLeaf(leaf: Fields, names: SlackTexts): Inline[] {
  const style = styleOf(leaf.style);
  switch (leaf.type) {
    case "link":
      return [linkInline(asText(leaf.url), firstText(leaf.text), names, style)];
    case "user":
      return personLeaf(leaf.user_id, names);
    case "usergroup":
      return [{ reference: { group: asText(leaf.usergroup_id) } }];
    case "channel":
      return [channelInline(asText(leaf.channel_id), undefined, names)];
    case "broadcast":
      return [{ reference: { everyone: true } }];
    case "emoji":
      return [{ text: emojiText(leaf), style }];
    case "date": {
      const time = secondsToTime(leaf.timestamp);
      return time === undefined ? [{ text: asText(leaf.fallback), style }] : [{ time }];
    }
    case "color":
      return [{ text: asText(leaf.value), style }];
    case "canvas": // also in the message's files
      return [];
    default:
      return [{ text: asText(leaf.text), style }];
  }
}

function personLeaf(value: unknown, names: SlackTexts): Inline[] {
  const id = asText(value);
  return id === "" ? [] : [{ reference: names.person(id) }];
}

function emojiText(leaf: Fields): string {
  const name = asText(leaf.name);
  const tone = asCount(leaf.skin_tone);
  const character = emojiCharacter(tone === undefined ? name : `${name}::skin-tone-${tone}`);
  if (character !== undefined) return character;
  const points = asText(leaf.unicode).split("-");
  const isUnicode = points.every((point) => /^[0-9a-f]{2,5}$/i.test(point));
  if (!isUnicode) return `:${name}:`;
  return String.fromCodePoint(...points.map((point) => Number.parseInt(point, 16))).toWellFormed();
}

/** A message's attachments. `text`: the message's text, in which links have previews. */
export const readAttachments = (value: unknown, text: string, names: SlackTexts): Block[] =>
  fieldsIn(value).flatMap((attachment) => readAttachment(attachment, text, names));

function readAttachment(attachment: Fields, text: string, names: SlackTexts): Block[] {
  const url = firstText(attachment.from_url, attachment.original_url, attachment.app_unfurl_url);
  if (url !== undefined && (text.includes(url) || text.includes(url.replaceAll("&", "&amp;")))) {
    names.count("link previews");
    return [];
  }
  const reader = { parse: (each: string) => parseMrkdwn(each, names), count: names.count };
  const shared = fieldsIn(attachment.message_blocks).map((block) => readBlocks(asFields(block.message)?.blocks, names));
  const body = readBlocks(attachment.blocks, names) ?? [];
  const better = [...shared.flatMap((blocks) => blocks ?? []), ...body];
  const blocks = attachmentBlocks(attachment, reader, better.length > 0 ? better : undefined);
  const isMessage = attachment.is_share === true || attachment.is_msg_unfurl === true;
  const [place, message] = [asText(attachment.channel_id), asText(attachment.ts)];
  if (!isMessage || message === "" || !names.isPlace(place)) return blocks;
  return [{ paragraph: [{ reference: { message, place } }] }, ...blocks];
}
