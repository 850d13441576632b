import { useEffect, useEffectEvent } from "react";
import { keepKeys } from "../../parts/keep-keys.ts";
import { useChat } from "../chat-context.ts";
import type { OpenCard } from "../people/open-card.ts";

export interface CardState {
  /** The open card or dialog about a person, group or channel. */
  card: OpenCard | undefined;
  closeCard(): void;
}

/**
 * Buffers keys pressed between opening a dialog or form and its getting the focus. They go to the dialog's field, not to page
 * shortcuts or the composer.
 */
export function useEarlyKeys({ card, closeCard }: CardState): void {
  const { page } = useChat();
  useEffect(() => {
    const openNow = () => page.value.dialog ?? page.value.picking ?? page.value.move;
    const close = () =>
      page.update((before) => ({ ...before, dialog: undefined, picking: undefined, move: undefined }));
    let open = openNow();
    let stop: (() => void) | undefined;
    const unsubscribe = page.subscribe(() => {
      if (openNow() === open) return;
      const wasOpen = open !== undefined;
      open = openNow();
      stop?.();
      stop = open !== undefined && !wasOpen ? keepKeys(close) : undefined;
    });
    return () => {
      unsubscribe();
      stop?.();
    };
  }, [page]);

  const close = useEffectEvent(closeCard);
  const kind = card?.kind;
  useEffect(() => (kind === undefined ? undefined : keepKeys(() => close())), [kind]);
}
