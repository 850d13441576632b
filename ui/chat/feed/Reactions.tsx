import { useTranslation } from "react-i18next";
import { characterOf } from "../../parts/emoji-characters.ts";
import { useChatState } from "../chat-context.ts";
import { pictureOf } from "../emoji/emoji.ts";
import type { Message } from "../model/feed-state.ts";
import { personById } from "../model/selectors.ts";
import classes from "./MessageView.module.css";

type Reaction = Message["reactions"][number];
type Group = [Reaction, ...Reaction[]];

/** The reactions by emoji, in the order of the first reaction. */
export function reactionGroups(reactions: readonly Reaction[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const reaction of reactions) {
    const group = groups.get(keyOf(reaction));
    if (group) group.push(reaction);
    else groups.set(keyOf(reaction), [reaction]);
  }
  return groups;
}

export interface ReactionsProps {
  reactions: readonly Reaction[];
  /** Undefined for users who cannot react. */
  onToggle?: ((reaction: Omit<Reaction, "user_id">) => void) | undefined;
}

const keyOf = ({ reaction_type, emoji_code }: Reaction): string => `${reaction_type} ${emoji_code}`;

export function Reactions({ reactions, onToggle }: ReactionsProps) {
  const { t } = useTranslation();
  return (
    <ul className={classes.reactions} aria-label={t("chat.reactions")}>
      {[...reactionGroups(reactions)].map(([key, group]) => (
        <li key={key}>
          <ReactionButton group={group} onToggle={onToggle} />
        </li>
      ))}
    </ul>
  );
}

/** Selects text from the state: a feed has many buttons, and few events change one of them. */
function ReactionButton({ group, onToggle }: { group: Group } & Pick<ReactionsProps, "onToggle">) {
  const { t } = useTranslation();
  const [first] = group;
  const isOwn = useChatState((state) => group.some(({ user_id }) => user_id === state.user_id));
  const people = useChatState((state) =>
    group.map(({ user_id }) => personById(state, user_id)?.full_name ?? t("chat.unknownPerson")).join(", "),
  );
  return (
    <button
      type="button"
      className={classes.reaction}
      aria-pressed={isOwn}
      data-tooltip={`:${first.emoji_name}: ${people}`}
      aria-label={t("chat.reactionBy", { name: first.emoji_name.replaceAll("_", " "), people, count: group.length })}
      disabled={!onToggle}
      onClick={() => onToggle?.(first)}
    >
      <ReactionEmoji reaction={first} />
      <span>{group.length}</span>
    </button>
  );
}

/** The emoji of a reaction, without text for screen readers: the elements around it have the name. */
export function ReactionEmoji({ reaction }: { reaction: Reaction }) {
  const picture = useChatState((state) => pictureOf(state, reaction));
  if (picture) return <img src={picture} alt="" width={18} height={18} />;
  return (
    <span aria-hidden="true">
      {reaction.reaction_type === "unicode_emoji" ? characterOf(reaction.emoji_code) : `:${reaction.emoji_name}:`}
    </span>
  );
}
