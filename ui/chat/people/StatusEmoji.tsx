import type { State } from "../../api/state-shape.ts";
import { characterOf } from "../../parts/emoji-characters.ts";
import { useChatState } from "../chat-context.ts";
import { pictureOf } from "../emoji/emoji.ts";
import classes from "./People.module.css";

export type Status = NonNullable<State["user_status"]>[string];

export const statusOf = (state: State, userId: number): Status | undefined => state.user_status?.[userId];

/** The emoji of a person's status, with the text as a tooltip. */
export function StatusEmoji({ userId }: { userId: number }) {
  const status = useChatState((state) => statusOf(state, userId));
  if (!status?.emoji_name) return null;
  return (
    <span className={classes.emojiEmoji} title={status.status_text ?? `:${status.emoji_name}:`}>
      <EmojiOf status={status} />
    </span>
  );
}

export function EmojiOf({ status }: { status: Status }) {
  const { emoji_name = "", emoji_code = "", reaction_type = "" } = status;
  const picture = useChatState((state) => pictureOf(state, { emoji_code, reaction_type }));
  if (picture) return <img src={picture} alt={`:${emoji_name}:`} width={18} height={18} />;
  return (
    <span role="img" aria-label={emoji_name.replaceAll("_", " ")}>
      {reaction_type === "unicode_emoji" ? characterOf(emoji_code) : `:${emoji_name}:`}
    </span>
  );
}
