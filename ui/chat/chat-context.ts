import { createContext, useContext } from "react";
import type { State } from "../api/state-shape.ts";
import { useStore } from "../api/store.ts";
import type { Chat } from "./model/chat.ts";
import type { Place } from "./model/narrow.ts";

export interface ChatContext {
  readonly chat: Chat;
  readonly place: Place;
  go(place: Place): void;
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
