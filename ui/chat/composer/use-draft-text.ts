import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { useStore } from "../../api/store.ts";
import { useChat, usePageState } from "../chat-context.ts";
import type { DraftNarrow } from "../model/drafts.ts";
import { narrowKey } from "../model/narrow.ts";

export interface DraftText {
  readonly text: string;
  /** For a message to a channel whose topic is not chosen yet. */
  readonly topic: string;
  setText(text: string): void;
  setTopic(topic: string): void;
  /** Replaces the selection and moves the caret behind the new text. */
  insert(addition: string): void;
  replace(text: string, caret: number): void;
}

/** The draft of a conversation and its caret. */
export function useDraftText(narrow: DraftNarrow, area: RefObject<HTMLTextAreaElement | null>): DraftText {
  const { chat, page } = useChat();
  const key = narrowKey(narrow);
  const draft = useStore(chat.drafts.store, (all) => all.get(key));
  const insertion = usePageState((state) => state.insertion);
  const text = draft?.text ?? "";
  /** The caret after the next render; "kept" for a text that the user typed. */
  const caret = useRef<number | "kept">(undefined);
  /** The selection before a change from another tab or device. */
  const selection = useRef<readonly [number, number]>([text.length, text.length]);
  const before = useRef(text);
  const current = useCallback(() => chat.drafts.store.value.get(key)?.text ?? "", [chat, key]);

  const replace = useCallback(
    (next: string, position: number) => {
      caret.current = position;
      chat.drafts.set(narrow, { text: next });
    },
    [chat, narrow],
  );

  useEffect(() => {
    const field = area.current;
    const note = () => {
      if (field) selection.current = [field.selectionStart, field.selectionEnd];
    };
    document.addEventListener("selectionchange", note);
    return () => document.removeEventListener("selectionchange", note);
  }, [area]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret moves after the field has the new text
  useLayoutEffect(() => {
    const field = area.current;
    const placed = chat.uploads.placed.value;
    const wanted = caret.current;
    const { length } = before.current;
    caret.current = undefined;
    before.current = text;
    if (!field || wanted === "kept") return;
    if (wanted !== undefined) {
      field.focus();
      field.setSelectionRange(wanted, wanted);
    } else if (placed?.key === key && placed.text === text && placed.caret !== undefined)
      field.setSelectionRange(placed.caret, placed.caret);
    else if (document.activeElement === field) {
      // A caret at the end stays at the end, so that the user continues the new text.
      if (selection.current[0] === length) selection.current = [text.length, text.length];
      field.setSelectionRange(...selection.current);
    }
  }, [text]);

  useEffect(() => {
    if (insertion === undefined) return;
    const before = current();
    const next = before === "" ? insertion : `${before}\n${insertion}`;
    replace(next, next.length);
    page.update((state) => ({ ...state, insertion: undefined }));
  }, [insertion, page, replace, current]);

  return {
    text,
    topic: draft?.topic ?? "",
    setText(next) {
      caret.current = "kept";
      chat.drafts.set(narrow, { text: next });
    },
    setTopic: (topic) => chat.drafts.set(narrow, { topic }),
    insert(addition) {
      const [start, end] = area.current ? [area.current.selectionStart, area.current.selectionEnd] : [text.length];
      const before = current();
      replace(before.slice(0, start) + addition + before.slice(end ?? start), (start ?? 0) + addition.length);
    },
    replace,
  };
}
