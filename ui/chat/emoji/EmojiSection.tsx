import { type CSSProperties, memo } from "react";
import { useTranslation } from "react-i18next";
import type { EmojiGroupId } from "../../build/emoji-groups.ts";
import { characterOf } from "../../parts/emoji-characters.ts";
import classes from "./EmojiPicker.module.css";
import { type EmojiName, reactionTypeOf } from "./emoji.ts";

export type EmojiSectionId = EmojiGroupId | "often" | "own" | "found";

const COLUMNS = 8;

export interface EmojiSectionProps {
  id: EmojiSectionId;
  emoji: readonly EmojiName[];
  /** The first emoji is the tab stop of the picker; arrow keys move to the others. */
  isFirst: boolean;
  onPick(emoji: EmojiName): void;
}

export const EmojiSection = memo(function EmojiSection({ id, emoji, isFirst, onPick }: EmojiSectionProps) {
  const { t } = useTranslation();
  const title = t(`chat.emoji.sections.${id}`);
  const rows = { "--rows": Math.ceil(emoji.length / COLUMNS) } as CSSProperties;
  return (
    <section className={classes.section} style={rows} data-section={id} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {emoji.map((one, index) => (
          <li key={`${reactionTypeOf(one)} ${one.code}`}>
            <button
              type="button"
              tabIndex={isFirst && index === 0 ? 0 : -1}
              onClick={() => onPick(one)}
              title={`:${one.names[0]}:`}
              aria-label={one.names[0]?.replaceAll("_", " ")}
              data-emoji
            >
              {one.picture ? <img src={one.picture} alt="" width={22} height={22} /> : characterOf(one.code)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
});
