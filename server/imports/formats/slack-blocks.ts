import { type Block, type Inline, linkOrUrl, paragraph, refer, type Style, styled, text } from "../document.ts";
import { emojiCharacter } from "../emoji-names.ts";
import type { LeftOut } from "../model.ts";
import {
  asCount,
  asFields,
  asList,
  asText,
  type Fields,
  fieldsIn,
  fieldsOf,
  firstText,
  secondsToTime,
} from "../values.ts";
import { attachmentBlocks } from "./attachments.ts";
import {
  channelInline,
  decoded,
  type ListRow,
  linkInlines,
  nestedLists,
  parseMrkdwn,
  type SlackNames,
  withEmoji,
} from "./slack-markup.ts";

/* Reads Slack's blocks, and the attachments of messages. */

export interface SlackTexts extends SlackNames {
  readonly leftOut: LeftOut;
}

/** Undefined if the kind of a block is unknown. Then use the text of the message. */
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
      return [{ is: "heading", level: 2, inside: [text(plainText(block.text))] }];
    case "context":
      return context(block, names);
    case "divider":
      return [{ is: "rule" }];
    case "image":
      return [imageLink(block)];
    case "table": {
      const rows = asList(block.rows).map((row) => fieldsIn(row).map((cell) => tableCell(cell, names)));
      return [{ is: "table", rows }];
    }
    case "video":
      return video(block);
    case "actions":
    case "input":
    case "context_actions":
      names.leftOut.add("buttons and forms");
      return [];
    case "file": // also in the message's files
      return [];
    default:
      return undefined;
  }
}

/** The text of an object such as `{type: "plain_text", text: "…"}`. */
const plainText = (value: unknown): string => withEmoji(decoded(asText(fieldsOf(value).text)));

function textBlocks(value: unknown, names: SlackTexts): Block[] {
  const fields = asFields(value);
  if (!fields) return [];
  if (fields.type === "mrkdwn") return parseMrkdwn(asText(fields.text), names);
  const content = plainText(fields);
  return content.trim() === "" ? [] : [paragraph(text(content))];
}

function section(block: Fields, names: SlackTexts): Block[] {
  const fields = fieldsIn(block.fields).flatMap((field) => textBlocks(field, names));
  const blocks = [...textBlocks(block.text, names), ...fields];
  const accessory = asFields(block.accessory);
  if (accessory?.type === "image") blocks.push(imageLink(accessory));
  else if (accessory) names.leftOut.add("buttons and forms");
  return blocks;
}

function context(block: Fields, names: SlackTexts): Block[] {
  return fieldsIn(block.elements).flatMap((element): Block[] =>
    element.type === "image" ? [imageLink(element)] : textBlocks(element, names),
  );
}

function imageLink(image: Fields): Block {
  const url = firstText(image.image_url, fieldsOf(image.slack_file).url);
  return titled(firstText(plainText(image.title), image.alt_text), url && decoded(url));
}

function titled(title: string | undefined, url: string | undefined): Block {
  const label = title === undefined ? [] : [text(title)];
  return paragraph(...(url === undefined ? label : linkOrUrl(url, label)));
}

function video(block: Fields): Block[] {
  const title = firstText(plainText(block.title), block.alt_text);
  return [titled(title, firstText(block.title_url, block.video_url)), paragraph(text(plainText(block.description)))];
}

function tableCell(cell: Fields, names: SlackTexts): Inline[] {
  if (cell.type !== "rich_text") return [text(asText(cell.text))];
  return richText(cell.elements, names).flatMap((block): Inline[] =>
    block.is === "paragraph" ? [...block.inside, { is: "break" }] : [],
  );
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
    // Slack shows adjacent sections without a blank line.
    if (last?.is === "paragraph" && read.is === "paragraph")
      blocks[blocks.length - 1] = paragraph(...last.inside, { is: "break" }, ...read.inside);
    else blocks.push(read);
  }
  endList();
  return blocks;
}

function richElement(element: Fields, names: SlackTexts): Block {
  const inside = fieldsIn(element.elements).flatMap((leaf) =>
    richLeaf(leaf, names).map((inline) => withStyle(inline, fieldsOf(leaf.style))),
  );
  if (element.type === "rich_text_quote") return { is: "quote", blocks: [paragraph(...inside)] };
  if (element.type !== "rich_text_preformatted") return paragraph(...inside);
  const code = fieldsIn(element.elements).map((leaf) =>
    firstText(leaf.text) === undefined ? asText(leaf.url) : asText(leaf.text),
  );
  return { is: "code", text: code.join(""), language: asText(element.language) };
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

const STYLES: readonly Style[] = ["strike", "italic", "bold"];

const withStyle = (inline: Inline, style: Fields): Inline =>
  STYLES.filter((name) => style[name] === true).reduce<Inline>(
    (inside, name) => styled(name, [inside]),
    style.code === true ? asCode(inline) : inline,
  );

function asCode(inline: Inline): Inline {
  if (inline.is === "text") return { is: "code", text: inline.text };
  return inline.is === "link" ? { ...inline, inside: inline.inside.map(asCode) } : inline;
}

function richLeaf(leaf: Fields, names: SlackTexts): readonly Inline[] {
  switch (leaf.type) {
    case "link":
      return linkInlines(asText(leaf.url), firstText(leaf.text), names);
    case "user":
      return personLeaf(leaf.user_id, names);
    case "usergroup":
      return [refer({ group: asText(leaf.usergroup_id) })];
    case "channel":
      return [channelInline(asText(leaf.channel_id), undefined, names)];
    case "broadcast":
      return [refer({ everyone: true })];
    case "emoji":
      return [text(emojiText(leaf))];
    case "date": {
      const at = secondsToTime(leaf.timestamp);
      return [at === undefined ? text(asText(leaf.fallback)) : { is: "time", at }];
    }
    case "color":
      return [text(asText(leaf.value))];
    case "canvas": // also in the message's files
      return [];
    default:
      return [text(asText(leaf.text))];
  }
}

function personLeaf(value: unknown, names: SlackTexts): Inline[] {
  const id = asText(value);
  return id === "" ? [] : [refer(names.person(id))];
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

/** Attachments of a message. `content`: the text of the message, to recognize link previews. */
export const readAttachments = (value: unknown, content: string, names: SlackTexts): Block[] =>
  fieldsIn(value).flatMap((attachment) => readAttachment(attachment, content, names));

function readAttachment(attachment: Fields, content: string, names: SlackTexts): Block[] {
  const url = firstText(attachment.from_url, attachment.original_url, attachment.app_unfurl_url);
  if (url !== undefined && (content.includes(url) || content.includes(url.replaceAll("&", "&amp;")))) {
    names.leftOut.add("link previews");
    return [];
  }
  const reader = { parse: (each: string) => parseMrkdwn(each, names), leftOut: names.leftOut };
  const shared = fieldsIn(attachment.message_blocks).map((block) => readBlocks(fieldsOf(block.message).blocks, names));
  const body = readBlocks(attachment.blocks, names) ?? [];
  const better = [...shared.flatMap((blocks) => blocks ?? []), ...body];
  const blocks = attachmentBlocks(attachment, reader, better.length > 0 ? better : undefined);
  const isMessage = attachment.is_share === true || attachment.is_msg_unfurl === true;
  const [place, message] = [asText(attachment.channel_id), asText(attachment.ts)];
  if (!isMessage || message === "" || !names.isPlace(place)) return blocks;
  return [paragraph(refer({ message, place })), ...blocks];
}
