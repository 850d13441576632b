import MarkdownIt from "markdown-it";
import { useMemo } from "react";
import classes from "./SetUpWords.module.css";

// Without HTML: what looks like it is escaped, and links to scripts stay text.
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

/** The server's words on how a service is set up: Markdown in which {address} stands for the bot's address. */
export function SetUpWords({ children, address }: { children: string; address: string }) {
  const html = useMemo(() => markdown.render(children.replaceAll("{address}", address)), [children, address]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by markdown-it without HTML, from the server's own words
  return <div className={classes.words} dangerouslySetInnerHTML={{ __html: html }} />;
}
