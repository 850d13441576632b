import { CornerDownLeft, Search } from "lucide-react";
import { type ReactNode, useEffect, useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { folded } from "../../parts/folded.ts";
import { useChat, useChatState, usePageState } from "../chat-context.ts";
import { keepInView } from "../keep-in-view.ts";
import { type FoundPlace, findPlaces } from "../model/find-places.ts";
import type { ListPage, Place, ViewKind } from "../model/narrow.ts";
import { knownTopics } from "../model/recent.ts";
import {
  rankOf,
  type SearchSuggestion,
  searchNarrow,
  searchSuggestions,
  searchTerms,
  unclearTerms,
} from "../model/search.ts";
import { channelById, personById } from "../model/selectors.ts";
import { ChannelIcon } from "../sidebar/ChannelItem.tsx";
import { useUnclearSentence } from "../unclear-term.ts";
import { VIEW_ICONS } from "../view-icons.ts";
import classes from "./Palette.module.css";
import { findActions, type PaletteAction, usePaletteActions } from "./palette-actions.ts";

export interface PaletteProps {
  mode: "go" | "search";
  /** What is typed already. */
  text: string | undefined;
  onClose(): void;
}

type Option =
  | { readonly kind: "place"; readonly key: string; readonly found: FoundPlace }
  | { readonly kind: "action"; readonly key: string; readonly action: PaletteAction }
  | { readonly kind: "search"; readonly key: string; readonly place: Place }
  | { readonly kind: "suggestion"; readonly key: string; readonly suggestion: SearchSuggestion };

const VIEWS = Object.keys(VIEW_ICONS) as (ListPage | ViewKind)[];

/** One field to go to anyone and anything, to do what may be done from anywhere, and to search for messages. */
export function Palette({ mode, text, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const state = useChatState((value) => value);
  const recent = useStore(chat.recent.store, (value) => value);
  const [typed, setTyped] = useState(text ?? "");
  const [active, setActive] = useState(0);
  const listId = useId();
  const opened = useStore(chat.topics.store, (value) => value);
  useEffect(() => {
    if (!chat.isSpectator) chat.recent.load();
  }, [chat]);

  const views = useMemo(
    () => (chat.isSpectator ? [] : VIEWS.map((view) => ({ view, name: t(`views.${view}`) }))),
    [chat, t],
  );
  const topics = useMemo(() => knownTopics(state, recent, opened), [state, recent, opened]);
  const [unclear] = unclearTerms(state, searchTerms(state, typed));
  const unclearSentence = useUnclearSentence();
  const narrow = unclear ? undefined : searchNarrow(state, typed);
  const actions = usePaletteActions();
  /** A message that is forwarded goes to a place. */
  const isForwarding = usePageState(({ forwarding }) => forwarding !== undefined);
  const words = folded(typed.trim());
  const hits = [
    ...findPlaces(state, typed, topics, views).map((found) => ({
      option: { kind: "place", key: JSON.stringify(found.place), found } as Option,
      rank: rankOf(found.name, words),
    })),
    ...findActions(isForwarding ? [] : actions, typed).map((action) => ({
      option: { kind: "action", key: action.key, action } as Option,
      rank: rankOf(action.name, words),
    })),
  ]
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option);
  const completions = searchSuggestions(
    state,
    typed,
    topics.map(({ topic }) => topic),
  );
  const suggestions = completions.map(
    (suggestion): Option => ({ kind: "suggestion", key: suggestion.text, suggestion }),
  );
  // What is being completed is not unclear yet.
  const isCompleting =
    completions.length > 0 &&
    completions.every(({ operator, negated }) => unclear?.typed.startsWith(`${negated ? "-" : ""}${operator}:`));
  const search: Option[] = narrow ? [{ kind: "search", key: "search", place: { page: "messages", narrow } }] : [];
  /** A search begins with words alone: they may be a name. Fingers, which have no key for it, find places here. */
  const isNaming = words !== "" && !typed.includes(":");
  const isSigiled = /^\s*[#@]/.test(typed);
  const options: readonly Option[] =
    mode === "search"
      ? [...search, ...suggestions, ...(isNaming ? hits : [])]
      : [...hits, ...(isSigiled ? [] : search)];
  const at = Math.min(active, Math.max(0, options.length - 1));

  const choose = (option: Option | undefined) => {
    if (!option) return;
    if (option.kind === "suggestion") {
      setTyped(option.suggestion.text);
      setActive(0);
    } else if (option.kind === "action") {
      onClose();
      option.action.run();
    } else go(option.kind === "place" ? option.found.place : option.place);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = options[at];
    if (step !== undefined) setActive((at + step + options.length) % Math.max(1, options.length));
    else if (event.key === "Enter") choose(chosen);
    else if (event.key === "Tab" && !event.shiftKey) {
      const first = chosen?.kind === "suggestion" ? chosen : options.find(({ kind }) => kind === "suggestion");
      if (!first) return;
      choose(first);
    } else return;
    event.preventDefault();
  };

  return (
    <Dialog title={t(mode === "search" ? "search.title" : "search.goTitle")} finds onClose={onClose}>
      <div className={classes.field}>
        <Search size="1.0625rem" aria-hidden="true" />
        <input
          className={classes.input}
          dir="auto"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
          role="combobox"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `${listId}-${at}` : undefined}
          aria-label={t(mode === "search" ? "search.title" : "search.goTitle")}
          placeholder={t(mode === "search" ? "search.placeholder" : "search.goPlaceholder")}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      </div>
      <div className={classes.options} id={listId} role="listbox" aria-label={t("search.suggestions")}>
        {options.map((option, index) => (
          <div
            key={option.key}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            ref={index === at ? keepInView : undefined}
            className={classes.option}
            onPointerDown={(event) => {
              event.preventDefault(); // the field keeps the focus
              choose(option);
            }}
          >
            {option.kind === "place" && <PlaceOption found={option.found} />}
            {option.kind === "action" && <ActionOption action={option.action} />}
            {option.kind === "search" && (
              <>
                <Icon>
                  <Search size="1rem" />
                </Icon>
                <span className={classes.name}>
                  <bdi>{t("search.searchFor", { text: typed.trim() })}</bdi>
                </span>
                {mode === "search" && <CornerDownLeft size="0.875rem" aria-hidden="true" className={classes.hint} />}
              </>
            )}
            {option.kind === "suggestion" && <SuggestionOption suggestion={option.suggestion} />}
          </div>
        ))}
      </div>
      {options.length === 0 && !unclear && (
        <p className={classes.none}>{t(typed === "" ? "search.goHint" : "search.none")}</p>
      )}
      <p className={classes.none} role="status">
        {unclear && !isCompleting && unclearSentence(unclear)}
      </p>
    </Dialog>
  );
}

const Icon = ({ children }: { children: ReactNode }) => (
  <span className={classes.icon} aria-hidden="true">
    {children}
  </span>
);

function PlaceOption({ found }: { found: FoundPlace }) {
  const { t } = useTranslation();
  const person = useChatState((state) => (found.userId === undefined ? undefined : personById(state, found.userId)));
  const narrow = found.place.page === "messages" ? found.place.narrow : undefined;
  const channel = useChatState((state) =>
    narrow && "channelId" in narrow ? channelById(state, narrow.channelId) : undefined,
  );
  const view = found.kind === "view" ? (narrow?.kind ?? found.place.page) : undefined;
  const ViewIcon = view === undefined ? undefined : VIEW_ICONS[view as ViewKind];
  return (
    <>
      {person && <img className={classes.picture} src={person.avatar_url} alt="" width={24} height={24} />}
      {channel && (
        <Icon>
          <ChannelIcon channel={channel} />
        </Icon>
      )}
      {ViewIcon && (
        <Icon>
          <ViewIcon size="1rem" />
        </Icon>
      )}
      <span className={classes.name}>
        {found.within !== undefined && (
          <span className={classes.within}>
            <bdi>{found.within}</bdi> ›{" "}
          </span>
        )}
        <bdi>{found.name === "" ? t("chat.generalTopic") : found.name}</bdi>
      </span>
    </>
  );
}

const ActionOption = ({ action: { name, icon: ActionIcon } }: { action: PaletteAction }) => (
  <>
    <Icon>
      <ActionIcon size="1rem" />
    </Icon>
    <span className={classes.name}>
      <bdi>{name}</bdi>
    </span>
  </>
);

/** An operator with what it does, or with a value. */
function SuggestionOption({ suggestion }: { suggestion: SearchSuggestion }) {
  const { t } = useTranslation();
  const { operator, value, negated, word } = suggestion;
  const about =
    value !== undefined && (operator === "is" || operator === "has" || operator === "in" || operator === "channels")
      ? t(`search.values.${operator}.${value}` as "search.values.is.unread")
      : t(`search.operators.${operator}`);
  return (
    <>
      <code className={classes.word}>
        <bdi>{word}</bdi>
      </code>
      <span className={classes.about}>{negated ? t("search.not", { text: about }) : about}</span>
    </>
  );
}
