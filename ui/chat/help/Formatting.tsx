import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChat, useChatState } from "../chat-context.ts";
import { MessageContent } from "../feed/MessageContent.tsx";
import { channelLink } from "../model/named.ts";
import classes from "./Help.module.css";

/** Separates samples, so that the server renders all of them in one request. */
const BETWEEN = { typed: "\n\n---\n\n", html: /<hr\s*\/?>/ };

export function Formatting() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const name = useChatState(({ full_name }) => full_name ?? "");
  const channel = useChatState(({ subscriptions }) => subscriptions?.[0]?.name);
  const samples = useMemo(() => {
    const said = t("help.formatting.said");
    return [
      `**${t("help.formatting.bold")}** *${t("help.formatting.italic")}* ~~${t("help.formatting.struck")}~~`,
      `[${t("help.formatting.link")}](https://example.org)`,
      `* ${said}\n* ${said}\n  * ${said}`,
      `1. ${said}\n2. ${said}`,
      `> ${said}`,
      `\`x = 1\``,
      "```python\nprint(1)\n```",
      "$$\\sqrt{2}$$",
      `| ${said} | ${said} |\n|---|---|\n| 1 | 2 |`,
      `\`\`\`spoiler ${t("help.formatting.spoiler")}\n${said}\n\`\`\``,
      ":tada: :+1:",
      ...(name === "" ? [] : [`@**${name}**`]),
      ...(channel === undefined ? [] : [channelLink(channel)]),
      "<time:2030-01-31T10:00:00Z>",
      `# ${t("help.formatting.heading")}`,
    ];
  }, [t, name, channel]);
  const [shown, setShown] = useState<readonly string[]>([]);
  useEffect(() => {
    const asked = new AbortController();
    chat.client.call("POST /messages/render", { content: samples.join(BETWEEN.typed) }, asked.signal).then(
      ({ rendered }) => setShown(rendered.split(BETWEEN.html)),
      () => {}, // the Markdown is shown without it
    );
    return () => asked.abort();
  }, [chat, samples]);
  return (
    <>
      <table className={classes.samples}>
        <thead>
          <tr>
            <th scope="col">{t("help.formatting.typed")}</th>
            <th scope="col">{t("help.formatting.shown")}</th>
          </tr>
        </thead>
        <tbody>
          {samples.map((sample, at) => (
            <tr key={sample}>
              <td>
                <pre className={classes.typed}>{sample}</pre>
              </td>
              <td>{shown[at] !== undefined && <MessageContent html={shown[at]} />}</td>
            </tr>
          ))}
          <tr>
            <td>
              <pre className={classes.typed}>{t("help.formatting.meTyped")}</pre>
            </td>
            <td>
              {name} {t("help.formatting.meShown")}
            </td>
          </tr>
        </tbody>
      </table>
      <p className={classes.hint}>{t("help.formatting.completion")}</p>
    </>
  );
}
