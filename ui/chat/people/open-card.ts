import { createContext, useContext } from "react";

/** A part of the dialog about a channel. */
export type ChannelSection = "own" | "about" | "people" | "settings";

/** A card or dialog that any part of the chat page opens. */
export type OpenCard =
  | { readonly kind: "person"; readonly userId: number }
  | { readonly kind: "group"; readonly groupId: number }
  | { readonly kind: "status" }
  | { readonly kind: "channel"; readonly channelId: number; readonly section?: ChannelSection };

const Context = createContext<(dialog: OpenCard | undefined) => void>(() => {});

export const CardProvider = Context.Provider;

/** Opens a dialog, in place of the one that is open; undefined closes it. */
export const useOpenCard = () => useContext(Context);
