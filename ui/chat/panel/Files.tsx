import { FileText } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Store, useStore } from "../../api/store.ts";
import { ErrorCallout } from "../../parts/ErrorCallout.tsx";
import { timeOrDay } from "../../parts/format.ts";
import { useNow } from "../../parts/use-now.ts";
import { EMPTY_FEED } from "../model/feed-state.ts";
import { filesIn } from "../model/files.ts";
import { type Narrow, narrowTerms } from "../model/narrow.ts";
import classes from "./SidePanel.module.css";
import { useSearchFeed } from "./use-search-feed.ts";

const NO_FEED = new Store(EMPTY_FEED);

const parse = (html: string): ParentNode => new DOMParser().parseFromString(html, "text/html");

/** The files of a conversation, newest first. */
export function Files({ narrow }: { narrow: Narrow }) {
  const { t } = useTranslation();
  const now = useNow();
  const { feed, isBusy } = useSearchFeed({
    kind: "search",
    terms: [...narrowTerms(narrow), { operator: "has", operand: "attachment" }],
  });
  const { messages, isLoaded, foundOldest, error } = useStore(feed?.store ?? NO_FEED, (value) => value);
  const files = useMemo(() => filesIn(messages, parse), [messages]);
  return (
    <div className={classes.scroll} aria-busy={isBusy}>
      <ErrorCallout error={error} />
      {isLoaded && files.length === 0 && <p className={classes.empty}>{t("chatPeople.panel.noFiles")}</p>}
      <ul className={classes.list}>
        {files.map(({ url, name, preview, message }) => (
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
      {isLoaded && !foundOldest && (
        <button type="button" className={classes.more} onClick={() => void feed?.loadOlder()}>
          {t("search.older")}
        </button>
      )}
    </div>
  );
}
