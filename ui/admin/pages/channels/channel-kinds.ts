import { Globe, Hash, Lock, type LucideIcon } from "lucide-react";
import type { State } from "../../../api/state-shape.ts";

export type Channel = NonNullable<State["streams"]>[number];

/** Kinds by who can read a channel: the keys of `channels.kinds` in the texts. */
export const KINDS = ["public", "private", "protected", "web"] as const;
export type Kind = (typeof KINDS)[number];

export function kindOf(channel: Channel): Kind {
  if (channel.is_web_public) return "web";
  if (!channel.invite_only) return "public";
  return channel.history_public_to_subscribers ? "private" : "protected";
}

export const KIND_ICONS: Record<Kind, LucideIcon> = { public: Hash, private: Lock, protected: Lock, web: Globe };

export const isPrivate = (kind: Kind): boolean => kind === "private" || kind === "protected";

/** Whether the change lets more people read the channel. */
export const widens = (from: Kind, to: Kind): boolean => KINDS_BY_READERS.indexOf(to) > KINDS_BY_READERS.indexOf(from);

const KINDS_BY_READERS: readonly Kind[] = ["protected", "private", "public", "web"];

/** Whether channels can be public on the web (docs/protocol.md#without-an-account). */
export const isWebPossible = (state: State): boolean => state.can_create_web_public_streams === true;
