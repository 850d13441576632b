import { missingParameter } from "../../errors.ts";
import type { Call, Integration, Reading } from "./integration.ts";
import {
  bold,
  code,
  codeBlock,
  converted,
  cut,
  lines,
  link,
  oneLine,
  paragraphs,
  plain,
  time,
  webAddress,
  withoutWildcards,
} from "./markdown.ts";
import type { Payload } from "./payload.ts";
import { slackSignature } from "./signatures.ts";

/*
 * Converts Slack's markup to Markdown. Code and text in angle brackets are put aside first, so that nothing in them is
 * read as emphasis.
 */

const CODE = /```([\s\S]*?)```|`([^`\n]+)`/g;
const BRACKETS = /<([^<>\n]+)>/g;
// A mark is at the edge of a word, without a space inside.
const emphasis = (mark: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_${mark}])[${mark}](?!\\s)([^${mark}\\n]+)(?<!\\s)[${mark}](?![\\p{L}\\p{N}_${mark}])`,
    "gu",
  );
const [BOLD, ITALIC, STRIKE] = ["*", "_", "~"].map(emphasis) as [RegExp, RegExp, RegExp];

const CHARACTERS: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
const decoded = (text: string): string => text.replace(/&(?:amp|lt|gt);/g, (entity) => CHARACTERS[entity]!);

export function mrkdwn(text: string): string {
  const markdown = converted(text, (given, putAside) => {
    const marked = given
      .replace(CODE, (_all, block?: string, inline?: string) =>
        putAside(block === undefined ? code(decoded(inline ?? "")) : blockOf(decoded(block))),
      )
      .replace(BRACKETS, (_all, inside: string) => putAside(bracketed(inside)))
      .replace(BOLD, "**$1**")
      .replace(ITALIC, "*$1*")
      .replace(STRIKE, "~~$1~~");
    return decoded(marked);
  });
  return withoutWildcards(markdown).trim();
}

const blockOf = (text: string): string => `\n\`\`\`\n${text.replace(/^\n|\n$/g, "")}\n\`\`\`\n`;

/** `<https://…|name>`, `<@U1>`, `<#C1|name>`, `<!here>`, `<!date^1735689600^{date}|fallback>` */
function bracketed(inside: string): string {
  const [target = "", label] = splitOnce(inside, "|");
  const name = label === undefined ? undefined : decoded(label);
  if (target.startsWith("@")) return plain(`@${(name ?? target).replace(/^@/, "")}`);
  if (target.startsWith("#")) return plain(`#${name || target.slice(1)}`);
  if (target.startsWith("!")) return special(target.slice(1), name);
  const address = decoded(target);
  if (address.startsWith("mailto:")) return plain(name ?? address.slice("mailto:".length));
  if (name) return link(name, address);
  return webAddress(address) ?? plain(`<${address}>`);
}

function special(target: string, name: string | undefined): string {
  const [kind = "", first = ""] = target.split("^");
  if (kind === "date") return time(Number.parseInt(first, 10)) ?? plain(name ?? "");
  return plain(`@${(name ?? (kind === "subteam" ? first : kind)).replace(/^@/, "")}`);
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

/* Block Kit and attachments, without buttons and inputs. */

const MAX_DEPTH = 8;

const blocksIn = (part: Payload): string => paragraphs(...part.maybeList("blocks").map((each) => block(each)));

function block(part: Payload): string | undefined {
  switch (part.maybeText("type")) {
    case "section":
      return section(part);
    case "header":
      return heading(plain(textOf(part, "text") ?? ""));
    case "divider":
      return "----";
    case "image":
      return image(part);
    case "context":
      return lines(
        ...part.maybeList("elements").map((element) => (isImage(element) ? image(element) : textObject(element))),
      );
    case "actions":
    case "input":
      return undefined;
    case "markdown":
      return withoutWildcards(part.maybeText("text") ?? "");
    case "video":
      return link(textOf(part, "title") ?? "Video", part.maybeText("title_url", "video_url"));
    case "table":
      return lines(
        ...part
          .maybeList("rows")
          .slice(0, 50)
          .map((row) => richText(row, 0)),
      );
    default:
      return part.isObject("elements") ? richText(part, 0) : textObject(part);
  }
}

const heading = (text: string): string | undefined => (text === "" ? undefined : `## ${text}`);

/** The text of a text object, or the text itself. */
const textOf = (part: Payload, path: string): string | undefined => part.maybeText(`${path}.text`, path);

/** A text object of type `mrkdwn` or `plain_text`. */
function textObject(part: Payload | undefined): string | undefined {
  const text = part?.maybeText("text") ?? part?.maybeText("text.text");
  if (text === undefined) return undefined;
  return part?.maybeText("type") === "plain_text" ? lines(...text.split("\n").map(plain)) : mrkdwn(text);
}

function section(part: Payload): string {
  const accessory = part.maybe("accessory");
  const fields = part.maybeList("fields").flatMap((field) => textObject(field) || []);
  return paragraphs(
    textObject(part.maybe("text")),
    fields.length > 1 ? table(fields) : fields[0],
    accessory && isImage(accessory) ? image(accessory) : undefined,
  );
}

/** Slack shows the fields of a section in two columns. */
function table(fields: readonly string[]): string {
  const cells = fields.map((field) => oneLine(field.replaceAll("|", " ")));
  const rows = Array.from({ length: Math.ceil(cells.length / 2) }, (_, row) => cells.slice(row * 2, row * 2 + 2));
  return ["| | |", "|---|---|", ...rows.map(([left, right = ""]) => `| ${left} | ${right} |`)].join("\n");
}

const isImage = (part: Payload): boolean => part.maybeText("type") === "image";

const image = (part: Payload): string =>
  link(textOf(part, "title") ?? part.maybeText("alt_text") ?? "Image", part.maybeText("image_url", "slack_file.url"));

/** Rich text: nested sections, lists, quotes and code, with runs of text. */
function richText(part: Payload, depth: number): string {
  const elements = depth > MAX_DEPTH ? [] : part.maybeList("elements");
  const type = part.maybeText("type");
  if (type === "rich_text") return richBlocks(elements, depth + 1);
  if (type === "rich_text_list") return list(part, elements, depth + 1);
  if (elements.length === 0) return run(part);
  if (type === "rich_text_preformatted") {
    return codeBlock(elements.map((each) => each.maybeText("text", "url") ?? "").join(""), "");
  }
  const text = elements.map((each) => richText(each, depth + 1)).join("");
  return type === "rich_text_quote" ? lines(...text.split("\n").map((line) => `> ${line}`)) : text;
}

/** Slack sends a nested list as several lists with different indents, which follow each other. */
function richBlocks(elements: readonly Payload[], depth: number): string {
  let [written, isAfterList] = ["", false];
  for (const element of elements) {
    const text = richText(element, depth);
    if (text.trim() === "") continue;
    const isList = element.maybeText("type") === "rich_text_list";
    written += `${written === "" ? "" : isList && isAfterList ? "\n" : "\n\n"}${text}`;
    isAfterList = isList;
  }
  return written;
}

const MAX_INDENT = 8;

function list(part: Payload, items: readonly Payload[], depth: number): string {
  const indent = "  ".repeat(Math.min(Math.max(0, Math.trunc(part.maybeNumber("indent") ?? 0)), MAX_INDENT));
  const first = Math.max(0, Math.trunc(part.maybeNumber("offset") ?? 0)) + 1;
  const isOrdered = part.maybeText("style") === "ordered";
  return items
    .map((item, at) => `${indent}${isOrdered ? `${first + at}.` : "-"} ${oneLine(richText(item, depth))}`)
    .join("\n");
}

function run(part: Payload): string {
  const name = part.maybeText("text");
  switch (part.maybeText("type")) {
    case "link":
      return name === undefined ? (webAddress(part.maybeText("url")) ?? "") : link(name, part.maybeText("url"));
    case "emoji":
      return `:${plain(part.maybeText("name") ?? "")}:`;
    case "user":
      return plain(`@${part.maybeText("user_id") ?? "somebody"}`);
    case "broadcast":
      return plain(`@${part.maybeText("range") ?? "here"}`);
    default:
      return styled(part, name ?? "");
  }
}

function styled(part: Payload, text: string): string {
  // Markdown needs the spaces outside the marks.
  const inner = text.trim();
  if (inner === "") return text;
  const [before, after] = [text.slice(0, text.indexOf(inner)), text.slice(text.indexOf(inner) + inner.length)];
  const shown = inner.split("\n").map(plain).join("\n");
  const style = (name: string): boolean => part.isTrue(`style.${name}`);
  if (style("code")) return `${before}\`${oneLine(inner).replaceAll("`", "'")}\`${after}`;
  const marks = `${style("bold") ? "**" : ""}${style("italic") ? "*" : ""}${style("strike") ? "~~" : ""}`;
  const closing = Array.from(marks).reverse().join("");
  return before + marks + shown + closing + after;
}

const attachmentsIn = (payload: Payload): string[] => payload.maybeList("attachments").map((each) => attachment(each));

function attachment(part: Payload): string {
  const title = part.maybeText("title");
  const image = part.maybeText("image_url");
  const markup = (path: string): string | undefined => {
    const text = part.maybeText(path);
    return text === undefined ? undefined : mrkdwn(text);
  };
  const fields = part.maybeList("fields").map((field) => {
    const [name, value] = [field.maybeText("title"), field.maybeText("value")];
    return [name && `${bold(name)}:`, value && mrkdwn(value)].filter(Boolean).join(" ");
  });
  const at = part.maybeNumber("ts") ?? Number.parseFloat(part.maybeText("ts") ?? "");
  const shown = paragraphs(
    markup("pretext"),
    plain(part.maybeText("author_name") ?? ""),
    title === undefined ? undefined : heading(link(title, part.maybeText("title_link"))),
    markup("text"),
    lines(...fields),
    blocksIn(part),
    image === undefined ? undefined : link("Image", image),
    lines(markup("footer"), time(Number.isNaN(at) ? undefined : at)),
  );
  const fallback = part.maybeText("fallback");
  return shown === "" && fallback !== undefined ? mrkdwn(cut(fallback, 3000)) : shown;
}

function read(call: Call): Reading {
  const { request } = call;
  const isMissing = request.body.length === 0 || request.form.size > 0;
  if (isMissing && call.parameter("payload") === undefined) throw missingParameter("payload");
  const { payload } = call;
  const channel = payload.maybeText("channel")?.replace(/^[#@]/, "");
  // Text next to blocks is their summary in notifications. Text next to attachments is the message.
  const body = blocksIn(payload) || text(payload);
  // Some services repeat the text in an attachment, for its color.
  const content = paragraphs(body, ...attachmentsIn(payload).filter((attached) => attached !== body));
  if (content === "") return { ignored: "The payload says nothing." };
  return { topic: call.topic ?? channel ?? "", content };
}

function text(payload: Payload): string {
  const icon = payload.maybeText("icon_emoji");
  const shown = mrkdwn(payload.maybeText("text") ?? "");
  return icon === undefined || shown === "" ? shown : `${plain(icon)} ${shown}`;
}

export const slackIncoming: Integration = {
  name: "slack_incoming",
  displayName: "Slack-compatible webhook",
  color: "#4a154b",
  client: "SlackIncoming",
  events: null,
  options: [],
  setUp: `Wherever a service asks for the address of a **Slack incoming webhook**, paste \`{address}\`.

Text, blocks and attachments are shown; buttons are not. The topic is that of the address, else the payload's
\`channel\`. Try it:

\`\`\`
curl -H 'Content-Type: application/json' -d '{"text": "Hello, *world*"}' '{address}'
\`\`\``,
  answer: { ok: true },
  verify: slackSignature,
  read,
};
