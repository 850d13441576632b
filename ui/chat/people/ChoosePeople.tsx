import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { holdsWords } from "../../parts/folded.ts";
import { useNow } from "../../parts/use-now.ts";
import { useChatState } from "../chat-context.ts";
import { type Person, personById, presenceOf } from "../model/selectors.ts";
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
  /** Enter, with the first who is found if somebody was typed. Unless it returns true, that person is chosen. */
  onEnter?(first: Person | undefined): boolean;
}

/** People found by a part of their name, each to be marked; the chosen ones stay in sight. */
export function ChoosePeople({ label, chosen, without, isFirst = false, onChange, onEnter }: ChoosePeopleProps) {
  const { t } = useTranslation();
  const state = useChatState((value) => value);
  const now = useNow();
  const [filter, setFilter] = useState("");
  const words = filter.trim();
  const isMeant = holdsWords(words);
  const found = (state.realm_users ?? [])
    .filter(({ user_id }) => !chosen.includes(user_id) && !without?.has(user_id))
    .filter(({ full_name }) => isMeant(full_name))
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
    .slice(0, MAX_SHOWN);
  const marked = chosen.map((id) => personById(state, id)).filter((person) => person !== undefined);
  const toggle = (id: number) => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const enter = () => {
    const first = words === "" ? undefined : found[0];
    if (onEnter?.(first) || !first) return;
    toggle(first.user_id);
    setFilter("");
  };
  return (
    <>
      <TextInput
        label={label}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          enter();
        }}
        autoComplete="off"
        data-autofocus={isFirst || undefined}
      />
      <ul className={list.list}>
        {[...marked, ...found].map(({ user_id, full_name, avatar_url }) => (
          <li key={user_id}>
            <label className={classes.person}>
              <input type="checkbox" checked={chosen.includes(user_id)} onChange={() => toggle(user_id)} />
              <img src={avatar_url} alt="" width={28} height={28} loading="lazy" />
              <span className={classes.name}>
                <bdi>{full_name}</bdi>
              </span>
              <Presence presence={presenceOf(state, user_id, now)} />
            </label>
          </li>
        ))}
      </ul>
      {marked.length + found.length === 0 && <p className={list.empty}>{t("chat.newDirect.empty")}</p>}
    </>
  );
}
