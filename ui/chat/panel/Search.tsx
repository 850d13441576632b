import { TextInput } from "@mantine/core";
import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Store, useStore } from "../../api/store.ts";
import { errorMessage } from "../../parts/error-messages.ts";
import { timeOrDay } from "../../parts/format.ts";
import { useNow } from "../../parts/use-now.ts";
import { useChat, useChatState, useDerived } from "../chat-context.ts";
import { conversationOf, EMPTY_FEED, type Message } from "../model/feed-state.ts";
import { isConversation, type Narrow, narrowTerms } from "../model/narrow.ts";
import { knownTopics } from "../model/recent.ts";
import { searchSuggestions, searchTerms, unclearTerms } from "../model/search.ts";
import { channelById } from "../model/selectors.ts";
import { snippetOf } from "../model/snippet.ts";
import { useNarrowTitle } from "../narrow-title.ts";
import { useUnclearSentence } from "../parts/unclear-term.ts";
import { addressIn } from "../use-place.ts";
import classes from "./SidePanel.module.css";
import { isBeside, panelSearch, usePanel } from "./use-panel.ts";
import { useSearchFeed } from "./use-search-feed.ts";

/** A search begins when typing pauses. */
const PAUSE_MS = 300;

const parse = (html: string): ParentNode => new DOMParser().parseFromString(html, "text/html");

const NOTHING = new Store(EMPTY_FEED);

interface SearchProps {
  narrow: Narrow | undefined;
  takesFocus: boolean;
}

/** Searches next to the conversation. The results stay while one of them is open. */
export function Search({ narrow, takesFocus }: SearchProps) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const { text, isHere } = useStore(panelSearch, (value) => value);
  const recent = useStore(chat.recent.store, (value) => value);
  const topics = useStore(chat.topics.store, (value) => value);
  const scope = narrow && (narrow.kind === "channel" || isConversation(narrow)) ? narrow : undefined;
  const { terms, unclear } = useDerived((state) => {
    const terms = searchTerms(state, text);
    return { terms, unclear: unclearTerms(state, terms)[0] };
  });
  const unclearSentence = useUnclearSentence();
  const asked: Narrow | undefined =
    terms.length === 0 || unclear
      ? undefined
      : { kind: "search", terms: [...(scope && isHere ? narrowTerms(scope) : []), ...terms] };
  const { feed, isBusy } = useSearchFeed(asked, PAUSE_MS);
  const { messages, isLoaded, foundOldest, foundNewest, error } = useStore(feed?.store ?? NOTHING, (value) => value);
  const suggestions = useDerived((state) => {
    const names = knownTopics(state, recent, topics).map(({ topic }) => topic);
    return searchSuggestions(state, text, names).map((suggestion) => suggestion.text);
  });
  return (
    <>
      <search className={classes.search}>
        <TextInput
          ref={field}
          size="sm"
          type="search"
          dir="auto"
          list={listId}
          aria-label={t("search.title")}
          placeholder={t("search.besidePlaceholder")}
          value={text}
          onChange={(event) => panelSearch.set({ text: event.currentTarget.value, isHere })}
          autoComplete="off"
        />
        <datalist id={listId}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
        {scope && (
          <label className={classes.here}>
            <input
              type="checkbox"
              checked={isHere}
              onChange={(event) => panelSearch.set({ text, isHere: event.currentTarget.checked })}
            />
            {t("search.onlyHere")}
          </label>
        )}
      </search>
      <div className={classes.scroll} aria-busy={isBusy}>
        {error !== undefined && (
          <p className={classes.empty} role="alert">
            {errorMessage(error)}
          </p>
        )}
        <p className={classes.empty} role="status">
          {unclear ? unclearSentence(unclear) : isLoaded && messages.length === 0 && t("views.empty.search")}
        </p>
        {isLoaded && !foundNewest && (
          <button type="button" className={classes.more} onClick={() => void feed?.loadNewer()}>
            {t("search.newer")}
          </button>
        )}
        <ul className={classes.list}>
          {[...messages].reverse().map((message) => (
            <Hit key={message.id} message={message} />
          ))}
        </ul>
        {isLoaded && !foundOldest && messages.length > 0 && (
          <button type="button" className={classes.more} onClick={() => void feed?.loadOlder()}>
            {t("search.older")}
          </button>
        )}
      </div>
    </>
  );
}

function Hit({ message }: { message: Message }) {
  const { chat, place } = useChat();
  const [, setOpen] = usePanel();
  const now = useNow();
  const narrowTitle = useNarrowTitle();
  const narrow = conversationOf(message, chat.userId);
  const title = useChatState((state) => narrowTitle(state, narrow));
  const channel = useChatState((state) =>
    narrow.kind === "topic" ? channelById(state, narrow.channelId)?.name : undefined,
  );
  const isHere = place.page === "messages" && place.near === message.id;
  return (
    <li>
      <a
        className={classes.hit}
        onClick={() => isBeside() || setOpen(false)}
        href={addressIn(chat.state.value, { page: "messages", narrow, near: message.id })}
        aria-current={isHere ? "location" : undefined}
      >
        <span className={classes.by}>
          {channel !== undefined && (
            <>
              <bdi>{channel}</bdi> ›{" "}
            </>
          )}
          <bdi>{title}</bdi>
        </span>
        <span>
          <b>
            <bdi>{message.sender_full_name}</bdi>
          </b>{" "}
          <span className={classes.by}>{timeOrDay(message.timestamp * 1000, now)}</span>
        </span>
        <span className={classes.snippet} dir="auto">
          {snippetOf(message.match_content ?? message.content, parse).map(({ text, isHit }, at) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text that stays the same
            isHit ? <mark key={at}>{text}</mark> : text,
          )}
        </span>
      </a>
    </li>
  );
}
