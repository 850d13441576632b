import MarkdownIt from "markdown-it";
import { useMemo } from "react";
import classes from "./SetUpWords.module.css";

// HTML is escaped, and javascript: links stay text.
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** The server's setup instructions in Markdown, with {address} for the bot's URL. */
export function SetUpWords({ children, address }: { children: string; address: string }) {
  const html = useMemo(() => markdown.render(children.replaceAll("{address}", address)), [children, address]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: markdown-it renders the server's own text without HTML
  return <div className={classes.words} dangerouslySetInnerHTML={{ __html: html }} />;
}
