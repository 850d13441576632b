import { createContext, useCallback, useContext } from "react";
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
  /** For those who read without an account: leads to the sign-in. */
  readonly signIn?: (() => void) | undefined;
  /** Whether the window of the organization is theirs, too. */
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

/** A part of the state of /register. The chat is shown when there is one. */
export function useChatState<S>(select: (state: State) => S): S {
  const { chat } = useChat();
  return useStore(chat.state, (state) => select(state as State));
}

/** A part of what the page shows beside its place. */
export function usePageState<S>(select: (page: PageState) => S): S {
  const { page } = useChat();
  return useStore(page, select);
}

/** Shows what went wrong with a piece of work, above the composer. */
export function useAttempt(): (work: Promise<unknown>) => void {
  const { page } = useChat();
  return useCallback(
    (work) => void work.catch((error) => page.update((before) => ({ ...before, notice: errorMessage(error) }))),
    [page],
  );
}
