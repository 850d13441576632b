import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { useChat } from "../chat-context.ts";
import { useEmojiTable } from "../emoji/use-emoji-table.ts";
import classes from "./Completions.module.css";
import { type Completion, channelBefore, completionsFor, typedWord } from "./completion-search.ts";

export type { Completion } from "./completion-search.ts";

export interface CompletionsState {
  readonly id: string;
  readonly found: readonly Completion[];
  readonly active: number;
  readonly activeId: string | undefined;
  readonly isOpen: boolean;
  /** The text before and after the word. */
  readonly around: { readonly before: string; readonly after: string };
  /** Also for each `input` event: dictated or pasted text causes no `select` event. */
  onCaret(): void;
  close(): void;
  /** Returns whether the list handled the key. */
  onKeyDown(event: React.KeyboardEvent, complete: (completion: Completion) => void): boolean;
}

/** Completes the word at the caret of a text field. */
export function useCompletions(text: string, area: React.RefObject<HTMLTextAreaElement | null>): CompletionsState {
  const { chat, place } = useChat();
  const id = useId();
  const [caret, setCaret] = useState<number>();
  const [active, setActive] = useState(0);
  const [closedAt, setClosedAt] = useState<number>();

  const position = Math.min(caret ?? text.length, text.length);
  const word = caret === undefined ? undefined : typedWord(text, position);
  const { all: emoji } = useEmojiTable(word?.kind === ":");
  const topicsOf = (channelId: number) => (chat.topics.store.value[channelId] ?? []).map(({ name }) => name);
  const nearby = (): readonly number[] => {
    if (place.page !== "messages") return [];
    const others = place.narrow.kind === "direct" ? place.narrow.userIds : [];
    const { messages } = chat.feed(place.narrow).store.value;
    const senders = messages.map(({ sender_id }) => sender_id).reverse();
    return [...new Set([...senders, ...others])].filter((userId) => userId !== chat.userId);
  };
  const inChannel =
    word?.kind === "#" ? channelBefore(chat.state.value ?? {}, word.text)?.channel.stream_id : undefined;
  useStore(chat.topics.store, (all) => (inChannel === undefined ? undefined : all[inChannel]));
  useEffect(() => {
    if (inChannel !== undefined) void chat.topics.load(inChannel);
  }, [chat, inChannel]);

  const found =
    word && word.start !== closedAt ? completionsFor(chat.state.value ?? {}, { emoji, topicsOf, nearby }, word) : [];
  const isOpen = found.length > 0;
  const at = Math.min(active, Math.max(0, found.length - 1));

  return {
    id,
    found,
    active: at,
    activeId: isOpen ? `${id}-${at}` : undefined,
    isOpen,
    around: { before: text.slice(0, word?.start ?? position), after: text.slice(position) },
    onCaret() {
      const next = area.current?.selectionStart;
      if (next !== caret) setActive(0);
      setCaret(next);
      setClosedAt(undefined);
    },
    close: () => setCaret(undefined),
    onKeyDown(event, complete) {
      // Ctrl+Enter sends.
      if (!isOpen || event.ctrlKey || event.metaKey) return false;
      const chosen = found[at];
      if (event.key === "ArrowDown") setActive((at + 1) % found.length);
      else if (event.key === "ArrowUp") setActive((at + found.length - 1) % found.length);
      else if (event.key === "Escape") setClosedAt(word?.start);
      else if ((event.key === "Enter" || event.key === "Tab") && chosen) complete(chosen);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

interface CompletionsProps {
  completions: CompletionsState;
  onPick(completion: Completion): void;
}

export function Completions({ completions: { id, found, active, isOpen }, onPick }: CompletionsProps) {
  const { t } = useTranslation();
  if (!isOpen) return null;
  return (
    <div className={classes.list} id={id} role="listbox" aria-label={t("chat.compose.completions")}>
      {found.map((completion, at) => (
        <div
          key={completion.text}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={classes.option}
          onPointerDown={(event) => {
            event.preventDefault(); // keeps the focus in the text field
            onPick(completion);
          }}
        >
          {completion.picture ? (
            <img src={completion.picture} alt="" width={22} height={22} />
          ) : (
            <span className={classes.symbol} aria-hidden="true">
              {completion.symbol}
            </span>
          )}
          <bdi className={classes.label}>{completion.label}</bdi>
          {completion.hint && <bdi className={classes.about}>{completion.hint}</bdi>}
          {completion.command && <span className={classes.about}>{t(`writing.commands.${completion.command}`)}</span>}
        </div>
      ))}
    </div>
  );
}
