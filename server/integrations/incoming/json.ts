import { badRequest } from "../../errors.ts";
import type { Call, Integration, Reading } from "./integration.ts";
import { code, codeBlock, plainAnywhere, WILDCARD, withinAddress, withoutWildcards } from "./markdown.ts";
import type { Payload } from "./payload.ts";

/** The first characters of a value as JSON. Stops there, since a payload of 5 MB would block the event loop. */
export function writtenJson(value: unknown, { indent, length }: { indent: number; length: number }): string {
  const pieces: string[] = [];
  let room = length;
  const put = (piece: string): boolean => {
    pieces.push(piece);
    room -= piece.length;
    return room > 0;
  };
  /** Returns whether the limit is not reached. */
  const write = (part: unknown, depth: number): boolean => {
    if (typeof part === "string") return put(JSON.stringify(part.slice(0, Math.max(0, room))));
    if (typeof part !== "object" || part === null) return put(String(part));
    const isList = Array.isArray(part);
    const [open, close] = isList ? "[]" : "{}";
    const line = (at: number): string => (indent === 0 ? "" : `\n${" ".repeat(indent * at)}`);
    let isEmpty = true;
    put(open as string);
    for (const [key, item] of isList ? part.entries() : entriesOf(part)) {
      const name = isList
        ? ""
        : `${JSON.stringify(String(key).slice(0, Math.max(0, room)))}:${indent === 0 ? "" : " "}`;
      put(`${isEmpty ? "" : ","}${line(depth + 1)}${name}`);
      isEmpty = false;
      if (!write(item, depth + 1)) return false;
    }
    return put(`${isEmpty ? "" : line(depth)}${close}`);
  };
  write(value, 0);
  return pieces.join("");
}

/** Lazy, since a large object is left after a few entries. */
function* entriesOf(value: object): Generator<[string, unknown]> {
  for (const key in value) yield [key, (value as Record<string, unknown>)[key]];
}

const MAX_BLOCK = 9500;
/** The limit for all values of a message, which itself is limited to 10,000 characters. */
const MAX_FILLED = 20_000;
const MAX_TEMPLATE = 20_000;
const PLACEHOLDER = /\{\{([^{}\n]{1,200})\}\}/g;

/** Formats a value. `before` is the text before it in its line of the template. */
type Show = (value: unknown, before: string) => string;

/**
 * Replaces each `{{path.to.0.field}}` by its value. Each value is formatted once and truncated: otherwise a template
 * that repeats a long value a thousand times would take minutes.
 */
function filler(payload: Payload, show: Show): (template: string) => string {
  const values = new Map<string, unknown>();
  let room = MAX_FILLED;
  const valueAt = (path: string): unknown => {
    if (!values.has(path)) values.set(path, cutValue(path === "." ? payload.raw() : payload.raw(path)));
    return values.get(path);
  };
  return (template) =>
    template.replace(PLACEHOLDER, (_all, path: string, at: number) => {
      if (room <= 0) return "";
      const before = template.slice(template.lastIndexOf("\n", at) + 1, at).replace(PLACEHOLDER, "");
      const text = show(valueAt(path.trim()), before);
      room -= text.length;
      return text.toWellFormed();
    });
}

/** An object or array, shown as the start of its JSON. */
class Json {
  readonly text: string;
  constructor(value: object) {
    this.text = jsonOf(value, 0);
  }
}

function cutValue(value: unknown): unknown {
  if (typeof value === "string") return value.slice(0, MAX_BLOCK);
  return typeof value === "object" && value !== null ? new Json(value) : value;
}

function jsonOf(value: object, indent: number): string {
  try {
    return writtenJson(value, { indent, length: MAX_BLOCK });
  } catch (error) {
    if (error instanceof RangeError) throw badRequest("payload_too_deep");
    throw error;
  }
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return value instanceof Json ? value.text : String(value);
}

/** Escapes a value so that it cannot end the code or the link that contains it. */
function asMarkdown(value: unknown, before: string): string {
  const text = asText(value);
  if (before.split("`").length % 2 === 0) return code(text).slice(1, -1);
  if (/\]\([^()\s]*$/.test(before)) return withinAddress(text);
  return value instanceof Json ? code(text) : plainAnywhere(text);
}

/** Only the template can mention everyone; values cannot. */
function messageOf(template: string, payload: Payload): string {
  const fill = filler(payload, asMarkdown);
  return template
    .split(WILDCARD)
    .map((part, index) => (index % 2 === 1 ? part : withoutWildcards(fill(part))))
    .join("");
}

function read(call: Call): Reading {
  const { payload } = call;
  const template = call.parameter("template")?.slice(0, MAX_TEMPLATE);
  const topicTemplate = call.parameter("topic_template")?.slice(0, MAX_TEMPLATE) ?? "JSON";
  const topic = filler(payload, asText)(topicTemplate);
  if (template === undefined) {
    const whole = jsonOf(payload.raw() as object, 2);
    return { topic, content: codeBlock(whole, "json", MAX_BLOCK - 1) };
  }
  const content = messageOf(template, payload);
  return content.trim() === "" ? { ignored: "The template comes to nothing." } : { topic, content };
}

export const json: Integration = {
  name: "json",
  displayName: "JSON formatter",
  color: "#5b5b5b",
  client: "JSON",
  events: null,
  options: [
    { key: "template", label: "Message, with {{path.to.field}}", validator: "check_string" },
    { key: "topic_template", label: "Topic, with {{path.to.field}}", validator: "check_string" },
  ],
  setUp: `Send any JSON object to \`{address}\` by POST. It is shown as it is, indented.

With a template it becomes a message: \`template\` and \`topic_template\` in the address are Markdown and text in which
\`{{path.to.field}}\` stands for a value of the payload, and \`{{list.0.name}}\` for one in a list. Values show as they
are: they format nothing, and mention nobody unless the template does, as in \`@**{{user}}**\`. A value never mentions
everybody.

\`\`\`
curl -d '{"build": {"number": 7, "status": "failed"}}' \\
  '{address}&template=Build%20{{build.number}}%20**{{build.status}}**'
\`\`\``,
  read,
};
