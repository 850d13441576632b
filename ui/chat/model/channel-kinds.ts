import type { Channel } from "../../api/state-shape.ts";

/** From the fewest to the most readers. Each has texts in `channelKinds`. */
export const KINDS = ["protected", "private", "public", "web"] as const;
export type Kind = (typeof KINDS)[number];

type Privacy = Pick<Channel, "invite_only" | "is_web_public" | "history_public_to_subscribers">;

export function kindOf({ invite_only, is_web_public, history_public_to_subscribers }: Privacy): Kind {
  if (is_web_public) return "web";
  if (!invite_only) return "public";
  return history_public_to_subscribers ? "private" : "protected";
}

export const privacyOf = (kind: Kind): Privacy => ({
  invite_only: kind === "private" || kind === "protected",
  is_web_public: kind === "web",
  history_public_to_subscribers: kind !== "protected",
});

/** Whether more people can read the channel after the change. */
export const widens = (from: Kind, to: Kind): boolean => KINDS.indexOf(to) > KINDS.indexOf(from);
