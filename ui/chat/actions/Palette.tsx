import { Text } from "@mantine/core";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { folded } from "../../parts/folded.ts";
import { Palette as PaletteDialog, type PaletteOption } from "../../parts/Palette.tsx";
import { useChat, useChatState, usePageState } from "../chat-context.ts";
import { type FoundPlace, findPlaces } from "../model/find-places.ts";
import type { ListPage, ViewKind } from "../model/narrow.ts";
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
import { useUnclearSentence } from "../parts/unclear-term.ts";
import { VIEW_ICONS } from "../parts/view-icons.ts";
import { ChannelIcon } from "../sidebar/ChannelItem.tsx";
import { findActions, usePaletteActions } from "./palette-actions.ts";

export interface PaletteProps {
  mode: "go" | "search";
  text: string | undefined;
  onClose(): void;
}

const VIEWS = Object.keys(VIEW_ICONS) as (ListPage | ViewKind)[];

export function Palette({ mode, text, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  // Everything in the state can be found, so each change of it may change the results.
  const state = useChatState((all) => all);
  const recent = useStore(chat.recent.store, (value) => value);
  const opened = useStore(chat.topics.store, (value) => value);
  const [typed, setTyped] = useState(text ?? "");
  useEffect(() => {
    if (!chat.isSpectator) chat.recent.load();
  }, [chat]);
  const unclearSentence = useUnclearSentence();
  const actions = usePaletteActions();
  /** A message is forwarded to a place, so actions are not offered. */
  const isForwarding = usePageState(({ forwarding }) => forwarding !== undefined);

  const views = chat.isSpectator ? [] : VIEWS.map((view) => ({ view, name: t(`views.${view}`) }));
  const topics = knownTopics(state, recent, opened);
  const [unclear] = unclearTerms(state, searchTerms(state, typed));
  const narrow = unclear ? undefined : searchNarrow(state, typed);
  const words = folded(typed.trim());

  const places = findPlaces(state, typed, topics, views).map((found) => ({
    rank: rankOf(found.name, words),
    option: {
      key: JSON.stringify(found.place),
      icon: <PlaceIcon found={found} />,
      label: <PlaceName found={found} />,
      run: () => go(found.place),
    } as PaletteOption,
  }));
  const found = findActions(isForwarding ? [] : actions, typed).map(({ key, name, of, icon: Icon, run }) => ({
    rank: rankOf(name, words),
    option: {
      key,
      icon: Icon && <Icon size="1rem" />,
      label: <bdi>{name}</bdi>,
      description: of !== undefined && <Description text={of} />,
      run() {
        onClose();
        run();
      },
    } as PaletteOption,
  }));
  const hits = [...places, ...found].sort((a, b) => a.rank - b.rank).map(({ option }) => option);

  const completions = searchSuggestions(
    state,
    typed,
    topics.map(({ topic }) => topic),
  );
  const suggestions = completions.map(
    (suggestion): PaletteOption => ({
      key: suggestion.text,
      label: <Suggestion suggestion={suggestion} />,
      run: () => setTyped(suggestion.text),
    }),
  );
  // An unfinished term is not an error yet.
  const isCompleting =
    completions.length > 0 &&
    completions.every(({ operator, negated }) => unclear?.typed.startsWith(`${negated ? "-" : ""}${operator}:`));
  const search: PaletteOption[] = narrow
    ? [
        {
          key: "search",
          icon: <Search size="1rem" />,
          label: <bdi>{t("search.searchFor", { text: typed.trim() })}</bdi>,
          run: () => go({ page: "messages", narrow }),
        },
      ]
    : [];
  /** Words without an operator may be a name. On a touch screen, which has no keys, this finds places. */
  const isNaming = words !== "" && !typed.includes(":");
  const isSigiled = /^\s*[#@]/.test(typed);

  return (
    <PaletteDialog
      title={t(mode === "search" ? "search.title" : "search.goTitle")}
      placeholder={t(mode === "search" ? "search.placeholder" : "search.goPlaceholder")}
      typed={typed}
      onType={setTyped}
      options={
        mode === "search"
          ? [...search, ...suggestions, ...(isNaming ? hits : [])]
          : [...hits, ...(isSigiled ? [] : search)]
      }
      empty={!unclear && t(typed === "" ? "search.goHint" : "search.none")}
      status={unclear && !isCompleting && unclearSentence(unclear)}
      onTab={(selected) => {
        if (mode !== "search") return false;
        const chosen = suggestions.find(({ key }) => key === selected?.key) ?? suggestions[0];
        chosen?.run();
        return chosen !== undefined;
      }}
      onClose={onClose}
    />
  );
}

const Description = ({ text }: { text: string }) => (
  <Text span size="xs" c="dimmed">
    <bdi>{text}</bdi>
  </Text>
);

function PlaceIcon({ found: { place, kind, userId } }: { found: FoundPlace }) {
  const person = useChatState((state) => (userId === undefined ? undefined : personById(state, userId)));
  const narrow = place.page === "messages" ? place.narrow : undefined;
  const channel = useChatState((state) =>
    narrow && "channelId" in narrow ? channelById(state, narrow.channelId) : undefined,
  );
  if (person) return <img src={person.avatar_url} alt="" width={24} height={24} />;
  if (channel) return <ChannelIcon channel={channel} />;
  if (kind !== "view") return null;
  const ViewIcon = VIEW_ICONS[(narrow?.kind ?? place.page) as ViewKind];
  return <ViewIcon size="1rem" />;
}

function PlaceName({ found: { name, within } }: { found: FoundPlace }) {
  const { t } = useTranslation();
  return (
    <>
      {within !== undefined && (
        <Text span inherit c="dimmed">
          <bdi>{within}</bdi> ›{" "}
        </Text>
      )}
      <bdi>{name === "" ? t("chat.generalTopic") : name}</bdi>
    </>
  );
}

function Suggestion({ suggestion }: { suggestion: SearchSuggestion }) {
  const { t } = useTranslation();
  const { operator, value, negated, word } = suggestion;
  const about =
    value !== undefined && (operator === "is" || operator === "has" || operator === "in" || operator === "channels")
      ? t(`search.values.${operator}.${value}` as "search.values.is.unread")
      : t(`search.operators.${operator}`);
  return (
    <>
      <Text span ff="monospace" fz="0.8125rem">
        <bdi>{word}</bdi>
      </Text>{" "}
      <Text span size="xs" c="dimmed">
        {negated ? t("search.not", { text: about }) : about}
      </Text>
    </>
  );
}
