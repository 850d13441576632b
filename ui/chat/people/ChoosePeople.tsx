import { TextInput } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { wordMatcher } from "../../parts/folded.ts";
import { useNow } from "../../parts/use-now.ts";
import { useChatState } from "../chat-context.ts";
import { keepInView } from "../keep-in-view.ts";
import { personById, presenceOf } from "../model/selectors.ts";
import { Presence } from "../Presence.tsx";
import list from "../sidebar/PickList.module.css";
import classes from "./ChoosePeople.module.css";

const MAX_SHOWN = 50;

export interface ChoosePeopleProps {
  label: string;
  chosen: readonly number[];
  /** These are not offered. */
  without?: ReadonlySet<number>;
  isFirst?: boolean;
  onChange(chosen: readonly number[]): void;
  /** Enter where nobody is typed and somebody is chosen. */
  onEnter?(): void;
  /** Says what that does. */
  enterHint?: string;
}

/** People found by a part of their name, each to be marked, one of them by Enter; the chosen ones stay in sight. */
export function ChoosePeople({
  label,
  chosen,
  without,
  isFirst = false,
  onChange,
  onEnter,
  enterHint,
}: ChoosePeopleProps) {
  const { t } = useTranslation();
  const state = useChatState((value) => value);
  const now = useNow();
  const [filter, setFilter] = useState("");
  const [active, setActive] = useState<number>();
  const words = filter.trim();
  const matches = wordMatcher(words);
  const found = (state.realm_users ?? [])
    .filter(({ user_id }) => !chosen.includes(user_id) && !without?.has(user_id))
    .filter(({ full_name }) => matches(full_name))
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
    .slice(0, MAX_SHOWN);
  const marked = chosen.map((id) => personById(state, id)).filter((person) => person !== undefined);
  const toggle = (id: number) => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  // Whom Enter adds: the first who is found, or who was chosen with the arrows.
  const at = Math.min(active ?? (words === "" ? -1 : 0), found.length - 1);
  const highlighted = found[at];
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, nativeEvent } = event;
    if (nativeEvent.isComposing) return;
    if (key === "ArrowDown") setActive(Math.min(at + 1, found.length - 1));
    else if (key === "ArrowUp") setActive(Math.max(at - 1, 0));
    else if (key !== "Enter") return;
    else if (highlighted) {
      toggle(highlighted.user_id);
      setFilter("");
      setActive(undefined);
    } else if (words === "" && chosen.length > 0) onEnter?.();
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        label={label}
        value={filter}
        onChange={(event) => {
          setFilter(event.currentTarget.value);
          setActive(undefined);
        }}
        onKeyDown={onKeyDown}
        autoComplete="off"
        data-autofocus={isFirst || undefined}
      />
      <p role="status" className={classes.enter}>
        {highlighted
          ? t("chat.newDirect.enterAdds", { name: highlighted.full_name })
          : words === "" && chosen.length > 0 && enterHint}
      </p>
      <ul className={list.list}>
        {[...marked, ...found].map(({ user_id, full_name, avatar_url, is_bot }) => (
          <li key={user_id} ref={user_id === highlighted?.user_id ? keepInView : undefined}>
            <label className={classes.person} data-highlighted={user_id === highlighted?.user_id}>
              <input type="checkbox" checked={chosen.includes(user_id)} onChange={() => toggle(user_id)} />
              <img src={avatar_url} alt="" width={28} height={28} loading="lazy" />
              <span className={classes.name}>
                <bdi>{full_name}</bdi>
              </span>
              <Presence presence={is_bot ? "bot" : presenceOf(state, user_id, now)} />
            </label>
          </li>
        ))}
      </ul>
      {marked.length + found.length === 0 && <p className={list.empty}>{t("chat.newDirect.empty")}</p>}
    </>
  );
}
