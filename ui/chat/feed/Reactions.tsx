import { useTranslation } from "react-i18next";
import { useChatState } from "../chat-context.ts";
import { characterOf, pictureOf } from "../emoji/emoji.ts";
import type { Message } from "../model/feed-state.ts";
import { personById } from "../model/selectors.ts";
import classes from "./Reactions.module.css";

type Reaction = Message["reactions"][number];

export interface ReactionsProps {
  reactions: readonly Reaction[];
  /** Missing where one may not react. */
  onToggle?: ((reaction: Omit<Reaction, "user_id">) => void) | undefined;
}

const keyOf = ({ reaction_type, emoji_code }: Reaction): string => `${reaction_type} ${emoji_code}`;

/** The reactions to a message, one button for each emoji. */
export function Reactions({ reactions, onToggle }: ReactionsProps) {
  const { t } = useTranslation();
  const state = useChatState((value) => value);
  const groups = new Map<string, Reaction[]>();
  for (const reaction of reactions) groups.set(keyOf(reaction), [...(groups.get(keyOf(reaction)) ?? []), reaction]);
  return (
    <ul className={classes.reactions} aria-label={t("chat.reactions")}>
      {[...groups.values()].map((group) => {
        const [first] = group as [Reaction];
        const isOwn = group.some(({ user_id }) => user_id === state.user_id);
        const names = group.map(({ user_id }) => personById(state, user_id)?.full_name ?? t("chat.unknownPerson"));
        const picture = pictureOf(state, first);
        return (
          <li key={keyOf(first)}>
            <button
              type="button"
              className={classes.reaction}
              aria-pressed={isOwn}
              title={`:${first.emoji_name}: ${names.join(", ")}`}
              aria-label={t("chat.reactionBy", {
                name: first.emoji_name.replaceAll("_", " "),
                people: names.join(", "),
              })}
              disabled={!onToggle}
              onClick={() => onToggle?.(first)}
            >
              {picture ? (
                <img src={picture} alt="" width={18} height={18} />
              ) : (
                <span aria-hidden="true">
                  {first.reaction_type === "unicode_emoji" ? characterOf(first.emoji_code) : `:${first.emoji_name}:`}
                </span>
              )}
              <span>{group.length}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
