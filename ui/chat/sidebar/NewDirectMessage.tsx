import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../parts/Dialog.tsx";
import { useNow } from "../../parts/use-now.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { presenceOf } from "../model/selectors.ts";
import { Presence } from "../Presence.tsx";
import classes from "./NewDirectMessage.module.css";
import list from "./PickList.module.css";

const MAX_SHOWN = 50;

/** Chooses the people of a direct conversation. */
export function NewDirectMessage({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const { go } = useChat();
  const state = useChatState((value) => value);
  const now = useNow();
  const [filter, setFilter] = useState("");
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const words = filter.trim().toLocaleLowerCase();
  const people = (state.realm_users ?? [])
    .filter(({ user_id }) => user_id !== state.user_id)
    .filter(({ full_name }) => full_name.toLocaleLowerCase().includes(words))
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
    .slice(0, MAX_SHOWN);

  const toggle = (id: number) => setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const open = (userIds: readonly number[]) => {
    go({ page: "messages", narrow: { kind: "direct", userIds: [...userIds].sort((a, b) => a - b) } });
    onClose();
  };
  const submit = () => {
    const [first] = people;
    if (chosen.length > 0) open(chosen);
    else if (first && words !== "") open([first.user_id]);
  };

  return (
    <Dialog title={t("chat.newDirect.title")} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextInput
          label={t("chat.newDirect.filter")}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <ul className={list.list}>
          {people.map(({ user_id, full_name, avatar_url }) => (
            <li key={user_id}>
              <label className={classes.person}>
                <input type="checkbox" checked={chosen.includes(user_id)} onChange={() => toggle(user_id)} />
                <img src={avatar_url} alt="" width={28} height={28} />
                <span className={classes.name}>
                  <bdi>{full_name}</bdi>
                </span>
                <Presence presence={presenceOf(state, user_id, now)} />
              </label>
            </li>
          ))}
        </ul>
        {people.length === 0 && <p className={list.empty}>{t("chat.newDirect.empty")}</p>}
        <div className={classes.actions}>
          <Button variant="default" onClick={() => open([state.user_id ?? 0])}>
            {t("chat.notesToSelf")}
          </Button>
          <Button type="submit" disabled={chosen.length === 0 && (words === "" || people.length === 0)}>
            {t("chat.newDirect.open")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
