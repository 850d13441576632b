import { createContext, useContext } from "react";

export type ChannelSection = "own" | "about" | "people" | "settings";

/** A card that any part of the chat page can open. */
export type OpenCard =
  | { readonly kind: "person"; readonly userId: number }
  | { readonly kind: "group"; readonly groupId: number }
  | { readonly kind: "status" }
  | { readonly kind: "channel"; readonly channelId: number; readonly section?: ChannelSection };

const Context = createContext<(dialog: OpenCard | undefined) => void>(() => {});

export const CardProvider = Context.Provider;

/** Opens a card instead of the open one. Undefined closes it. */
export const useOpenCard = () => useContext(Context);
