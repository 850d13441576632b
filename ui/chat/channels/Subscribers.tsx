import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { UserMinus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Channel } from "../../api/state-shape.ts";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { ErrorCallout } from "../../parts/ErrorCallout.tsx";
import { wordMatcher } from "../../parts/folded.ts";
import { useNow } from "../../parts/use-now.ts";
import { useChat, useChatState, useDerived } from "../chat-context.ts";
import { byPresence } from "../model/people.ts";
import { mayAddSubscribers, mayRemoveSubscribers } from "../model/permissions.ts";
import { type Person, personById } from "../model/selectors.ts";
import { IconButton } from "../parts/IconButton.tsx";
import { ChoosePeople } from "../people/ChoosePeople.tsx";
import { PersonRow } from "../people/PersonRow.tsx";
import { useSubscribers } from "../people/use-subscribers.ts";
import list from "../sidebar/PickList.module.css";
import classes from "./Channels.module.css";

const MAX_SHOWN = 100;

/** The subscribers of a channel, to find, add and remove. */
export function Subscribers({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const now = useNow();
  const { data: ids, error } = useSubscribers(channel.stream_id);
  const [filter, setFilter] = useState("");
  const [isAdding, setAdding] = useState(false);
  const canAdd = useChatState((state) => mayAddSubscribers(state, channel));
  const canRemove = useChatState((state) => mayRemoveSubscribers(state, channel));
  const remove = useMutation({
    mutationFn: (userId: number) =>
      chat.client.call("DELETE /users/me/subscriptions", { subscriptions: [channel.name], principals: [userId] }),
  });
  const found = useDerived((state) => {
    const isMatch = wordMatcher(filter);
    const people = (ids ?? [])
      .map((id) => personById(state, id))
      .filter((person): person is Person => person?.is_active === true)
      .filter(({ full_name }) => isMatch(full_name));
    return byPresence(state, people, now);
  });

  if (isAdding) return <Add channel={channel} subscribers={new Set(ids)} onDone={() => setAdding(false)} />;
  return (
    <>
      {canAdd && (
        <Button size="sm" variant="default" onClick={() => setAdding(true)}>
          {t("channelDialog.addPeople")}
        </Button>
      )}
      <ErrorCallout error={remove.error ?? error} />
      {ids && (
        <TextInput
          type="search"
          mt="sm"
          aria-label={t("chatPeople.panel.find")}
          placeholder={t("chatPeople.panel.find")}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <ul className={list.list} aria-label={t("channelDialog.sections.people")}>
        {found.slice(0, MAX_SHOWN).map(({ person, presence }) => (
          <li key={person.user_id} className={classes.person}>
            <PersonRow person={person} presence={presence} />
            {canRemove && person.user_id !== chat.userId && (
              <IconButton
                onClick={() => remove.mutate(person.user_id)}
                label={t("channelDialog.remove", { name: person.full_name })}
              >
                <UserMinus size="1rem" aria-hidden="true" />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {ids && found.length === 0 && <p className={list.empty}>{t("chatPeople.panel.nobody")}</p>}
      {found.length > MAX_SHOWN && (
        <p className={list.empty}>{t("chatPeople.panel.more", { count: found.length - MAX_SHOWN })}</p>
      )}
    </>
  );
}

interface AddProps {
  channel: Channel;
  subscribers: ReadonlySet<number>;
  onDone(): void;
}

function Add({ channel, subscribers, onDone }: AddProps) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const add = useMutation({
    mutationFn: () =>
      chat.client.call("POST /users/me/subscriptions", {
        subscriptions: [{ name: channel.name }],
        principals: [...chosen],
      }),
    onSuccess: onDone,
  });
  return (
    <>
      <ChoosePeople
        label={t("channelDialog.addPeople")}
        value={chosen}
        exclude={subscribers}
        isInline
        onChange={setChosen}
        onEnter={() => chosen.length > 0 && add.mutate()}
      />
      <div className={classes.actions}>
        <Button variant="default" onClick={onDone}>
          {t("chat.cancel")}
        </Button>
        {chosen.length > 0 && (
          <BusyButton busy={add.isPending} onClick={() => add.mutate()}>
            {t("channelDialog.add", { count: chosen.length })}
          </BusyButton>
        )}
      </div>
      <ErrorCallout error={add.error} />
    </>
  );
}
