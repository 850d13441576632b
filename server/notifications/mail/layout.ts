import type { MailContent, MailPart } from "../../api/presenters/mails.ts";
import { escapeHtml } from "../../markdown/plain.ts";

/**
 * The mail as plain text and as HTML. The HTML has no pictures, no scripts and no markup of messages: it is the plain
 * text, escaped, with links of our own.
 */
export function layoutOf({ parts, language }: Pick<MailContent, "parts" | "language">): { text: string; html: string } {
  return {
    text: `${parts.map(textPart).join("\n\n")}\n`,
    html: `<!doctype html>
<html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0;padding:16px;font-family:system-ui,sans-serif;font-size:15px;line-height:1.5">
<div style="max-width:600px;margin:0 auto">
${parts.map(htmlPart).join("\n")}
</div></body></html>
`,
  };
}

function textPart(part: MailPart): string {
  switch (part.kind) {
    case "text":
      return part.text;
    case "button":
      return `${part.label}:\n${part.url}`;
    case "conversation": {
      const messages = part.messages.map(
        ({ heading, reason, text }) => `${heading} (${reason})\n${text.replace(/^/gm, "> ")}`,
      );
      return [part.title, ...messages, `${part.label}: ${part.url}`].join("\n\n");
    }
    case "footer":
      // Mail clients fold a signature, which these two dashes start.
      return [
        "-- ",
        ...part.lines.map((line) => (typeof line === "string" ? line : `${line.label}: ${line.url}`)),
      ].join("\n");
  }
}

function htmlPart(part: MailPart): string {
  switch (part.kind) {
    case "text":
      return `<p>${withLineBreaks(part.text)}</p>`;
    case "button":
      return `<p><a href="${escapeHtml(part.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0b6e4f;color:#ffffff;text-decoration:none">${escapeHtml(part.label)}</a></p>`;
    case "conversation":
      return `<div style="margin:20px 0;padding:4px 0 4px 14px;border-left:3px solid #8aa">
<h2 style="margin:0 0 8px;font-size:16px">${escapeHtml(part.title)}</h2>
${part.messages.map(htmlMessage).join("\n")}
<p style="margin:8px 0"><a href="${escapeHtml(part.url)}">${escapeHtml(part.label)}</a></p>
</div>`;
    case "footer":
      return `<div style="margin-top:24px;padding-top:12px;border-top:1px solid #8aa;font-size:13px">
${part.lines.map((line) => `<p style="margin:4px 0">${footerLine(line)}</p>`).join("\n")}
</div>`;
  }
}

const htmlMessage = ({ heading, reason, text }: (MailPart & { kind: "conversation" })["messages"][number]): string =>
  `<p style="margin:8px 0 2px"><strong>${escapeHtml(heading)}</strong> <span style="font-size:13px">(${escapeHtml(reason)})</span></p>
<p style="margin:0 0 8px;overflow-wrap:anywhere">${withLineBreaks(text)}</p>`;

const footerLine = (line: string | { label: string; url: string }): string =>
  typeof line === "string" ? escapeHtml(line) : `<a href="${escapeHtml(line.url)}">${escapeHtml(line.label)}</a>`;

const withLineBreaks = (text: string): string => escapeHtml(text).replaceAll("\n", "<br>\n");
