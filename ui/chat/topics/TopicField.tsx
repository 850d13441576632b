import { Popover } from "@mantine/core";
import { type KeyboardEvent, type Ref, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { folded } from "../../parts/folded.ts";
import { MENU_HOST_ID } from "../ActionsMenu.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { isComposing } from "../composer/composer-keys.ts";
import { keepInView } from "../keep-in-view.ts";
import { matching } from "../model/search.ts";
import type { Topic } from "../model/topics.ts";
import classes from "./TopicField.module.css";
import { isResolved } from "./use-topic-actions.ts";

export interface TopicFieldProps {
  /** Its topics are offered. */
  channelId: number;
  value: string;
  onChange(topic: string): void;
  /** One of the topics was chosen. */
  onPick?(): void;
  /** Enter ends what was typed; without this, it submits the form. */
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

/**
 * Asks for a topic, an existing or a new one: Enter and Tab take one of the list only where it was chosen with the arrows.
 */
export function TopicField({
  channelId,
  value,
  onChange,
  onPick,
  onEnter,
  id,
  className,
  label,
  placeholder,
  ref,
}: TopicFieldProps) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const listId = useId();
  /**
   * What the topics are to fit; undefined while none are offered. What was there before one types is no reason to offer
   * less.
   */
  const [query, setQuery] = useState<string>();
  const isWanted = query !== undefined;
  const [active, setActive] = useState<number>();
  const maxLength = useChatState(({ max_topic_length }) => max_topic_length ?? MAX_LENGTH);
  const topics = useStore(chat.topics.store, (all) => (isWanted ? all[channelId] : undefined)) ?? NONE;
  useEffect(() => {
    if (isWanted && !chat.topics.store.value[channelId]) void chat.topics.load(channelId);
  }, [chat, channelId, isWanted]);

  const found = isWanted ? offered(topics, query) : [];
  const isOpen = found.length > 0;
  const at = active === undefined ? undefined : Math.min(active, found.length - 1);
  const offer = (typed: string | undefined) => {
    setQuery(typed);
    setActive(undefined);
  };
  const pick = (topic: string) => {
    onChange(topic);
    offer(undefined);
    onPick?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      setQuery(query ?? "");
      const last = found.length - 1;
      if (key === "ArrowDown") setActive(at === undefined || at === last ? 0 : at + 1);
      else setActive(at === undefined || at === 0 ? Math.max(0, last) : at - 1);
    } else if (key === "Enter" && at === undefined && onEnter) {
      offer(undefined);
      onEnter();
    } else if (!isOpen) return;
    else if (key === "Escape") {
      event.stopPropagation();
      offer(undefined);
    } else if (key === "Enter" && at !== undefined) pick(found[at] ?? value);
    else {
      // The focus goes on from here.
      if (key === "Tab" && at !== undefined) onChange(found[at] ?? value);
      return;
    }
    event.preventDefault();
  };

  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && offer(undefined)}
      position="top-start"
      width="target"
      shadow="md"
      offset={6}
      withRoles={false}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
      portalProps={{ target: `#${MENU_HOST_ID}` }}
      middlewares={{ flip: true, shift: true }}
    >
      <Popover.Target>
        <input
          ref={ref}
          id={id}
          className={className}
          dir="auto"
          value={value}
          maxLength={maxLength}
          placeholder={placeholder}
          autoComplete="off"
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen && at !== undefined ? `${listId}-${at}` : undefined}
          onChange={(event) => {
            onChange(event.currentTarget.value);
            offer(event.currentTarget.value);
          }}
          onFocus={() => value === "" && offer("")}
          onClick={() => setQuery(query ?? "")}
          onBlur={() => offer(undefined)}
          onKeyDown={onKeyDown}
        />
      </Popover.Target>
      <Popover.Dropdown className={classes.list} id={listId} role="listbox" aria-label={t("topics.ofChannel")}>
        {found.map((topic, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={topic}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            ref={index === at ? keepInView : undefined}
            className={classes.option}
            onMouseDown={(event) => event.preventDefault()} // the field keeps the focus
            onClick={() => pick(topic)}
          >
            <bdi>{topic}</bdi>
          </div>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}

/** The topics that fit what is typed, those written in last first, resolved ones last; none where it is one of them. */
function offered(topics: readonly Topic[], typed: string): readonly string[] {
  const names = topics.map(({ name }) => name).filter((name) => name !== "");
  const found = matching(names, folded(typed.trim()));
  if (found.length === 1 && found[0] === typed) return [];
  return [...found.filter((name) => !isResolved(name)), ...found.filter(isResolved)].slice(0, MAX_SHOWN);
}
