import { Combobox } from "@mantine/core";
import { type KeyboardEvent, type Ref, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { useCombobox } from "../../parts/combobox.ts";
import { folded } from "../../parts/folded.ts";
import { isResolved } from "../actions/topic.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { isComposing } from "../composer/composer-keys.ts";
import { matching } from "../model/search.ts";
import type { Topic } from "../model/topics.ts";
import { MENU_HOST_ID } from "../parts/menu-host.ts";

export interface TopicFieldProps {
  channelId: number;
  value: string;
  onChange(topic: string): void;
  onPick?(): void;
  /** Called on Enter without a selected topic. If missing, Enter submits the form. */
  onEnter?: (() => void) | undefined;
  id?: string;
  className?: string | undefined;
  label: string;
  placeholder?: string;
  ref?: Ref<HTMLInputElement>;
}

const MAX_SHOWN = 50;
const MAX_LENGTH = 60;
const NONE: readonly Topic[] = [];
/** The server's notices about the channel: people seldom write there, and a new channel has no other topic. */
const EVENTS_TOPIC = "channel events";

/** A field for an existing or a new topic. Enter and Tab choose a topic only after an arrow key selected it. */
export function TopicField(props: TopicFieldProps) {
  const { channelId, value, onChange, onPick, onEnter, id, className, label, placeholder, ref } = props;
  const { t } = useTranslation();
  const { chat } = useChat();
  /** Undefined while no topics are offered. Text that was there before the person types does not limit them. */
  const [query, setQuery] = useState<string>();
  const [selected, setSelected] = useState(-1);
  const isWanted = query !== undefined;
  const maxLength = useChatState(({ max_topic_length }) => max_topic_length ?? MAX_LENGTH);
  const topics = useStore(chat.topics.store, (all) => (isWanted ? all[channelId] : undefined)) ?? NONE;
  useEffect(() => {
    if (isWanted && !chat.topics.store.value[channelId]) void chat.topics.load(channelId);
  }, [chat, channelId, isWanted]);

  const found = isWanted ? offered(topics, query) : [];
  const isOpen = found.length > 0;
  const offer = (typed: string | undefined) => {
    setQuery(typed);
    setSelected(-1);
  };
  const { store, at, fieldProps, listProps, optionProps } = useCombobox({
    count: found.length,
    selected,
    onSelect: setSelected,
    opened: isOpen,
    onOpenedChange: (opens) => (opens ? setQuery(query ?? "") : offer(undefined)),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const topic = found[at];
    if (event.key === "Enter" && topic === undefined && onEnter) {
      event.preventDefault();
      offer(undefined);
      onEnter();
    }
    // Without preventDefault, so that the focus moves on.
    else if (event.key === "Tab" && topic !== undefined) onChange(topic);
    else fieldProps.onKeyDown(event);
  };

  return (
    <Combobox
      store={store}
      onOptionSubmit={(topic) => {
        onChange(topic);
        offer(undefined);
        onPick?.();
      }}
      position="top-start"
      shadow="md"
      offset={6}
      keepMounted={false}
      portalProps={{ target: `#${MENU_HOST_ID}` }}
      middlewares={{ flip: true, shift: true }}
    >
      <Combobox.Target withKeyboardNavigation={false} withAriaAttributes={false}>
        <input
          ref={ref}
          id={id}
          className={className}
          dir="auto"
          value={value}
          maxLength={maxLength}
          placeholder={placeholder}
          aria-label={label}
          onChange={(event) => {
            onChange(event.currentTarget.value);
            offer(event.currentTarget.value);
          }}
          onFocus={() => value === "" && offer("")}
          onClick={() => setQuery(query ?? "")}
          onBlur={() => offer(undefined)}
          {...fieldProps}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      <Combobox.Dropdown mah="min(16rem, 40dvh)" style={{ overflowY: "auto" }}>
        <Combobox.Options aria-label={t("topics.ofChannel")} {...listProps}>
          {found.map((topic, index) => (
            <Combobox.Option key={topic} value={topic} {...optionProps(index)}>
              <bdi>{topic}</bdi>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The topics that match the typed text, the newest first, resolved ones last; none if only the typed one matches. */
function offered(topics: readonly Topic[], typed: string): readonly string[] {
  const names = topics
    .map(({ name }) => name)
    .filter((name) => name !== "" && (name !== EVENTS_TOPIC || typed.trim() !== ""));
  const found = matching(names, folded(typed.trim()));
  if (found.length === 1 && found[0] === typed) return [];
  return [...found.filter((name) => !isResolved(name)), ...found.filter(isResolved)].slice(0, MAX_SHOWN);
}
