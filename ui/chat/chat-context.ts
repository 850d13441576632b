import { replaceEqualDeep } from "@tanstack/react-query";
import { createContext, useCallback, useContext, useRef } from "react";
import type { State } from "../api/state-shape.ts";
import { type Store, useStore } from "../api/store.ts";
import { errorMessage } from "../parts/error-messages.ts";
import type { Chat } from "./model/chat.ts";
import type { Place } from "./model/narrow.ts";
import type { FocusTarget, PageState } from "./page-state.ts";

export interface ChatContext {
  readonly chat: Chat;
  readonly place: Place;
  readonly page: Store<PageState>;
  go(place: Place, focus?: FocusTarget): void;
  /** Without an account: opens the sign-in page. */
  readonly signIn?: (() => void) | undefined;
  /** Whether the viewer can manage the organization. */
  readonly mayManage: boolean;
  signOut(): void;
}

const Context = createContext<ChatContext | undefined>(undefined);

export const ChatProvider = Context.Provider;

export function useChat(): ChatContext {
  const context = useContext(Context);
  if (!context) throw new Error("There is no ChatProvider above this component.");
  return context;
}

/** A part of the live state, or a primitive. The page is shown when the state is loaded. */
export function useChatState<S>(select: (state: State) => S): S {
  const { chat } = useChat();
  return useStore(chat.state, (state) => select(state as State));
}

/**
 * A value that is computed from the state. The component renders again only when the content differs, so `derive` can
 * return new arrays and objects.
 */
export function useDerived<T>(derive: (state: State) => T): T {
  const last = useRef<T>(undefined);
  return useChatState((state) => {
    last.current = replaceEqualDeep(last.current, derive(state));
    return last.current as T;
  });
}

export function usePageState<S>(select: (page: PageState) => S): S {
  const { page } = useChat();
  return useStore(page, select);
}

/** Shows the error of a failed action above the composer. */
export function useAttempt(): (work: Promise<unknown>) => void {
  const { page } = useChat();
  return useCallback(
    (work) => void work.catch((error) => page.update((before) => ({ ...before, notice: errorMessage(error) }))),
    [page],
  );
}
