import { code, converted, link, plain, time, webAddress, withoutWildcards } from "../markdown.ts";

/*
 * Slack's own markup as Markdown. Code and what stands in angle brackets are put aside first, so that nothing in them is
 * taken for emphasis.
 */

const CODE = /```([\s\S]*?)```|`([^`\n]+)`/g;
const BRACKETS = /<([^<>\n]+)>/g;
// A mark stands at the edge of a word, with no blank within.
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
