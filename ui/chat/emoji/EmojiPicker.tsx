import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IS_TOUCHED } from "../../parts/touch.ts";
import { useChatState } from "../chat-context.ts";
import { EmojiGroupTabs } from "./EmojiGroupTabs.tsx";
import classes from "./EmojiPicker.module.css";
import { EmojiSection, type EmojiSectionId } from "./EmojiSection.tsx";
import { customEmoji, type EmojiName, findEmoji, reactionTypeOf } from "./emoji.ts";
import { buttonTowards, emojiButtons } from "./grid-keys.ts";
import { noteUse, oftenUsed, readUses } from "./often-used.ts";
import { useEmojiTable } from "./use-emoji-table.ts";

const MAX_FOUND = 160;
/** Two rows. */
const MAX_OFTEN_USED = 16;
/** Groups that fit on the screen: the picker opens before it renders the others. */
const FIRST_SECTIONS = 3;

interface Section {
  readonly id: EmojiSectionId;
  readonly emoji: readonly EmojiName[];
}

export interface EmojiPickerProps {
  onPick(emoji: { name: string; code: string; type: ReturnType<typeof reactionTypeOf> }): void;
}

export function EmojiPicker({ onPick }: EmojiPickerProps) {
  const { t } = useTranslation();
  const own = useChatState(customEmoji);
  const table = useEmojiTable();
  const [typed, setTyped] = useState("");
  const [drawn, setDrawn] = useState(FIRST_SECTIONS);
  const root = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);

  const isSearching = typed.trim() !== "";
  const sections = useMemo<readonly Section[]>(() => {
    const all = [...own, ...table.all];
    if (isSearching) return [{ id: "found", emoji: findEmoji(all, typed, MAX_FOUND) }];
    const often: Section = { id: "often", emoji: oftenUsed(readUses(), all, MAX_OFTEN_USED) };
    return [often, { id: "own" as const, emoji: own }, ...table.groups].filter(({ emoji }) => emoji.length > 0);
  }, [own, table, typed, isSearching]);
  useEffect(() => {
    if (drawn >= sections.length) return;
    const next = requestAnimationFrame(() => setDrawn(drawn + 1));
    return () => cancelAnimationFrame(next);
  }, [drawn, sections.length]);

  const pick = useCallback(
    (emoji: EmojiName) => {
      noteUse(emoji);
      onPick({ code: emoji.code, name: emoji.names[0] ?? "", type: reactionTypeOf(emoji) });
    },
    [onPick],
  );

  /** Arrow keys move between emoji; text that is typed there goes to the search. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target === search.current && event.key !== "ArrowDown") return;
    if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey) {
      search.current?.focus();
      return;
    }
    const next =
      event.target === search.current
        ? emojiButtons(root.current)[0]
        : buttonTowards(root.current, event.target as Element, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons take the keys, which bubble to here
    <div
      className={classes.picker}
      ref={root}
      onKeyDown={onKeyDown}
      {...(IS_TOUCHED && { tabIndex: -1, "data-autofocus": true })}
    >
      <input
        ref={search}
        className={classes.search}
        type="search"
        aria-label={t("chat.emoji.search")}
        placeholder={t("chat.emoji.search")}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = sections[0]?.emoji[0];
          if (event.key !== "Enter" || !isSearching || !first) return;
          event.preventDefault();
          pick(first);
        }}
        data-autofocus={IS_TOUCHED ? undefined : true}
      />
      {!isSearching && <EmojiGroupTabs sections={sections} root={root} onNeedAll={() => setDrawn(sections.length)} />}
      <div className={classes.sections}>
        {sections.slice(0, drawn).map(({ id, emoji }, index) => (
          <EmojiSection key={id} id={id} emoji={emoji} isFirst={index === 0} onPick={pick} />
        ))}
      </div>
      {isSearching && sections[0]?.emoji.length === 0 && <p className={classes.none}>{t("chat.emoji.none")}</p>}
    </div>
  );
}
