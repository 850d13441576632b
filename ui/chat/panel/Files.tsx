import { FileText } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMessage } from "../../parts/error-messages.ts";
import { timeOrDay } from "../../parts/format.ts";
import { useNow } from "../../parts/use-now.ts";
import { useChat } from "../chat-context.ts";
import { filesIn, type SharedFile } from "../model/files.ts";
import { type Narrow, termsOf } from "../model/narrow.ts";
import classes from "./SidePanel.module.css";

const NEWEST = 100;

const parse = (html: string): ParentNode => new DOMParser().parseFromString(html, "text/html");

/** The files of a conversation's newest messages. */
export function Files({ narrow }: { narrow: Narrow }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const now = useNow();
  const [files, setFiles] = useState<readonly SharedFile[]>();
  const [error, setError] = useState<string>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the list belongs to one narrow (its key)
  useEffect(() => {
    const asked = new AbortController();
    const terms = [...termsOf(narrow, chat.userId), { operator: "has", operand: "attachment" }];
    chat.client
      .call(
        "GET /messages",
        { anchor: "newest", num_before: NEWEST, num_after: 0, narrow: terms, allow_empty_topic_name: true },
        asked.signal,
      )
      .then(
        ({ messages }) => setFiles(filesIn(messages, parse)),
        (caught) => asked.signal.aborted || setError(errorMessage(caught)),
      );
    return () => asked.abort();
  }, [chat]);

  return (
    <div className={classes.scroll}>
      {error !== undefined && (
        <p className={classes.empty} role="alert">
          {error}
        </p>
      )}
      {files?.length === 0 && <p className={classes.empty}>{t("chatPeople.panel.noFiles")}</p>}
      <ul className={classes.list}>
        {files?.map(({ url, name, preview, message }) => (
          <li key={url}>
            <a className={classes.file} href={url} target="_blank" rel="noopener noreferrer" title={name}>
              <span className={classes.preview}>
                {preview ? (
                  <img src={preview} alt="" loading="lazy" />
                ) : (
                  <FileText size="1.125rem" aria-hidden="true" />
                )}
              </span>
              <span className={classes.about}>
                <span>
                  <bdi>{name}</bdi>
                </span>
                <span className={classes.by}>
                  {t("chatPeople.panel.fileBy", {
                    name: message.sender_full_name,
                    time: timeOrDay(message.timestamp * 1000, now),
                  })}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
