import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChatState } from "../chat-context.ts";
import classes from "./EmojiPicker.module.css";
import { characterOf, customEmoji, type EmojiName, findEmoji, loadEmojiNames, reactionTypeOf } from "./emoji.ts";

const MAX_SHOWN = 160;

/** Emoji to choose from, by name. */
export function EmojiPicker({
  onPick,
}: {
  onPick(emoji: { name: string; code: string; type: ReturnType<typeof reactionTypeOf> }): void;
}) {
  const { t } = useTranslation();
  const url = useChatState(({ server_emoji_data_url }) => server_emoji_data_url ?? "");
  const [all, setAll] = useState<readonly EmojiName[]>([]);
  const [typed, setTyped] = useState("");
  useEffect(() => {
    loadEmojiNames(url).then(setAll, () => {});
  }, [url]);
  const own = useChatState(customEmoji);
  const found = findEmoji([...own, ...all], typed, MAX_SHOWN);
  const pick = (emoji: EmojiName) =>
    onPick({ code: emoji.code, name: emoji.names[0] ?? "", type: reactionTypeOf(emoji) });
  return (
    <div className={classes.picker}>
      <input
        className={classes.search}
        type="search"
        aria-label={t("chat.emoji.search")}
        placeholder={t("chat.emoji.search")}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !found[0]) return;
          event.preventDefault();
          pick(found[0]);
        }}
        data-autofocus
      />
      <ul className={classes.grid}>
        {found.map((emoji) => (
          <li key={`${reactionTypeOf(emoji)} ${emoji.code}`}>
            <button
              type="button"
              onClick={() => pick(emoji)}
              title={`:${emoji.names[0]}:`}
              aria-label={emoji.names[0]?.replaceAll("_", " ")}
            >
              {emoji.picture ? <img src={emoji.picture} alt="" width={22} height={22} /> : characterOf(emoji.code)}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && typed !== "" && <p className={classes.none}>{t("chat.emoji.none")}</p>}
    </div>
  );
}
