import { type Block, type Inline, labelOf, link, paragraph, refer, styled, text, webAddress } from "../document.ts";
import type { ImportedFile, LeftOut } from "../model.ts";
import { asFields, asList, asText, parsedJson } from "../values.ts";
import { identityIn, teamsField, teamsText } from "./teams-fields.ts";
import { type TeamsParts, teamsBlocks } from "./teams-html.ts";

/* Attachments of Teams messages: links to files, quoted and forwarded messages, and cards of apps. */

export interface Surroundings {
  /** The channel or chat. */
  readonly place: string;
  readonly parts: TeamsParts;
  readonly files: ImportedFile[];
  readonly fileId: () => string;
  readonly leftOut: LeftOut;
}

export function attachmentBlocks(attachment: unknown, around: Surroundings): readonly Block[] {
  const type = teamsText(attachment, "contentType") ?? "";
  const content = contentOf(attachment);
  if (type === "messageReference") return quoted(content, around);
  if (type === "forwardedMessageReference") return forwarded(content, around);
  if (type === "application/vnd.microsoft.card.codesnippet") return codeSnippet(attachment, content, around);
  if (/^application\/vnd\.microsoft\.(?:teams\.)?card\./.test(type)) {
    const blocks = cardBlocks(content, around);
    return blocks.length > 0 ? [{ is: "quote", blocks }] : linkOf(attachment);
  }
  const url = teamsText(attachment, "contentUrl");
  if (/^image\//.test(type) && url !== undefined && webAddress(url) !== undefined) {
    around.files.push({ id: around.fileId(), name: teamsText(attachment, "name") ?? "image", source: { url } });
    return [];
  }
  return linkOf(attachment);
}

/** The content is JSON in a text, or an object. */
function contentOf(attachment: unknown): unknown {
  const content = teamsField(attachment, "content");
  return typeof content === "string" ? parsedJson(content) : content;
}

/** Shared files are not in the export: they stay where Teams has them, which is SharePoint. */
function linkOf(attachment: unknown): readonly Block[] {
  const url = teamsText(attachment, "contentUrl");
  const name = teamsText(attachment, "name") ?? url;
  if (name === undefined) return [];
  return [paragraph(url === undefined ? text(name) : link(url, name))];
}

function quoted(content: unknown, { place }: Surroundings): readonly Block[] {
  const message = teamsText(content, "messageId");
  const preview = teamsText(content, "messagePreview") ?? "";
  const sender = identityIn(teamsField(content, "messageSender"))?.name ?? "Message";
  const source: Inline = message === undefined ? text(sender) : refer({ message, place, label: labelOf(sender) });
  return [{ is: "quote", blocks: [paragraph(source), paragraph(text(preview))] }];
}

function forwarded(content: unknown, { parts }: Surroundings): readonly Block[] {
  const sender = identityIn(teamsField(content, "originalMessageSender"))?.name;
  const html = teamsText(content, "originalMessageContent") ?? "";
  const title = paragraph(text(sender === undefined ? "Forwarded" : `Forwarded: ${sender}`));
  return [{ is: "quote", blocks: [title, ...teamsBlocks(html, parts)] }];
}

/** Longer snippets are not in the export. Teams serves them, like pictures. */
function codeSnippet(attachment: unknown, content: unknown, around: Surroundings): readonly Block[] {
  const code = asText(teamsField(content, "code")) || asText(teamsField(content, "text"));
  if (code !== "") return [{ is: "code", text: code, language: teamsText(content, "language") }];
  const name = teamsText(content, "name") ?? teamsText(attachment, "name") ?? "code";
  const url = teamsText(content, "codeSnippetUrl");
  if (url === undefined || webAddress(url) === undefined) return [paragraph(text(name))];
  around.files.push({ id: around.fileId(), name: name.includes(".") ? name : `${name}.txt`, source: { url } });
  return [];
}

const MAX_DEPTH = 12;
const MAX_ITEMS = 200;

const texts = (...values: (string | undefined)[]): Block[] =>
  values.filter((value) => value !== undefined).map((value) => paragraph(text(value)));

const bold = (value: string | undefined): Block[] =>
  value === undefined ? [] : [paragraph(styled("bold", [text(value)]))];

/** Adaptive cards, and the older kinds of cards. Buttons and inputs only work in Teams. */
function cardBlocks(card: unknown, around: Surroundings): Block[] {
  const buttons = [...asList(teamsField(card, "buttons")), ...asList(teamsField(card, "potentialAction"))];
  countButtons(buttons.length, around);
  const html = teamsText(card, "text") ?? "";
  return [
    ...bold(teamsText(card, "title")),
    ...texts(
      teamsText(card, "subtitle"),
      teamsText(card, "title") === undefined ? teamsText(card, "summary") : undefined,
    ),
    ...teamsBlocks(html, around.parts),
    ...some(card, "sections").flatMap((section) => sectionBlocks(section, around)),
    ...some(card, "items").flatMap((item) => texts(teamsText(item, "title"), teamsText(item, "subtitle"))),
    ...some(card, "media").flatMap((media) => linked(teamsText(media, "url"), "media")),
    ...elementBlocks(card, around, 0),
  ];
}

const some = (value: unknown, name: string): readonly unknown[] => asList(teamsField(value, name)).slice(0, MAX_ITEMS);

const countButtons = (count: number, { leftOut }: Surroundings): void => leftOut.add("buttons and forms", count);

const linked = (url: string | undefined, label: string): Block[] =>
  url === undefined || webAddress(url) === undefined ? [] : [paragraph(link(url, label))];

function sectionBlocks(section: unknown, around: Surroundings): Block[] {
  countButtons(asList(teamsField(section, "potentialAction")).length, around);
  return [
    ...bold(teamsText(section, "title") ?? teamsText(section, "activityTitle")),
    ...texts(teamsText(section, "activitySubtitle"), teamsText(section, "activityText")),
    ...teamsBlocks(teamsText(section, "text") ?? "", around.parts),
    ...facts(section, "name"),
  ];
}

const facts = (holder: unknown, nameField: string): Block[] =>
  some(holder, "facts").map((fact) =>
    paragraph(
      styled("bold", [text(teamsText(fact, nameField) ?? teamsText(fact, "title") ?? "")]),
      text(` ${teamsText(fact, "value") ?? ""}`),
    ),
  );

/** An element of an adaptive card, with its children. */
function elementBlocks(element: unknown, around: Surroundings, depth: number): Block[] {
  if (depth > MAX_DEPTH || !asFields(element)) return [];
  countButtons(asList(teamsField(element, "actions")).length, around);
  const inside = ["body", "items", "columns", "rows", "cells"].flatMap((name) =>
    depth === 0 && name === "items" ? [] : some(element, name),
  );
  return [...ownBlocks(element, around), ...inside.flatMap((child) => elementBlocks(child, around, depth + 1))];
}

function ownBlocks(element: unknown, around: Surroundings): Block[] {
  const type = teamsText(element, "type") ?? "";
  if (type.startsWith("Input.")) countButtons(1, around);
  switch (type) {
    case "TextBlock": {
      const isBold = /^bold/i.test(teamsText(element, "weight") ?? "");
      const content = teamsText(element, "text");
      return isBold ? bold(content) : texts(content);
    }
    case "RichTextBlock":
      return [
        paragraph(...some(element, "inlines").map((run) => text(asText(run) || asText(teamsField(run, "text"))))),
      ];
    case "FactSet":
      return facts(element, "title");
    case "Image":
      return linked(teamsText(element, "url"), teamsText(element, "altText") ?? "image");
    case "CodeBlock":
      return [
        { is: "code", text: asText(teamsField(element, "codeSnippet")), language: teamsText(element, "language") },
      ];
    default:
      return [];
  }
}
