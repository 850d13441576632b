import { badRequest } from "../errors.ts";
import type { Call, Integration, Reading } from "./integration.ts";
import { code, codeBlock, plain } from "./markdown.ts";
import type { Payload } from "./payload.ts";

const MAX_BLOCK = 9500;
/** Characters of values in a message, which is cut at 10,000. */
const MAX_FILLED = 20_000;
const PLACEHOLDER = /\{\{\s*([^{}\n]{1,200}?)\s*\}\}/g;

/**
 * The value of each `{{path.to.0.field}}` in its place; nothing where there is none. A value is written out once and cut:
 * a template that names a long one a thousand times would take minutes.
 */
function filled(template: string, payload: Payload, show: (value: unknown) => string): string {
  const shown = new Map<string, string>();
  let room = MAX_FILLED;
  return template.replace(PLACEHOLDER, (_all, path: string) => {
    if (room <= 0) return "";
    const text = shown.get(path) ?? show(path === "." ? payload.raw() : payload.raw(path)).slice(0, MAX_BLOCK);
    shown.set(path, text);
    room -= text.length;
    return text.toWellFormed();
  });
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? indented(value, 0) : String(value);
}
const asMarkdown = (value: unknown): string =>
  typeof value === "object" && value !== null ? code(indented(value, 0)) : plain(asText(value));

function indented(value: unknown, indent: number): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch (error) {
    if (error instanceof RangeError) throw badRequest("The payload is nested too deeply.");
    throw error;
  }
}

function read(call: Call): Reading {
  const { payload } = call;
  const template = call.parameter("template");
  const topic = filled(call.parameter("topic_template") ?? "JSON", payload, asText);
  if (template === undefined) return { topic, content: codeBlock(indented(payload.raw(), 2), "json", MAX_BLOCK) };
  const content = filled(template, payload, asMarkdown);
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
are: they mention nobody and format nothing.

\`\`\`
curl -d '{"build": {"number": 7, "status": "failed"}}' \\
  '{address}&template=Build%20{{build.number}}%20**{{build.status}}**'
\`\`\``,
  read,
};
