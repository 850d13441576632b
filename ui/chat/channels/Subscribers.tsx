import { ActionIcon, Button, TextInput } from "@mantine/core";
import { UserMinus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Channel } from "../../api/state-shape.ts";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { wordMatcher } from "../../parts/folded.ts";
import { useNow } from "../../parts/use-now.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { byPresence } from "../model/people.ts";
import { mayAddSubscribers, mayRemoveSubscribers } from "../model/permissions.ts";
import { type Person, personById } from "../model/selectors.ts";
import { ChoosePeople } from "../people/ChoosePeople.tsx";
import { PersonRow } from "../people/PersonRow.tsx";
import { useSubscribers } from "../people/use-subscribers.ts";
import { SavingNote } from "../settings/SavingNote.tsx";
import { useSaving } from "../settings/use-saving.ts";
import list from "../sidebar/PickList.module.css";
import classes from "./Channels.module.css";

/** More are found by typing. */
const MAX_SHOWN = 100;

/** Who is in a channel, to add to and to take out where one may. */
export function Subscribers({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const state = useChatState((value) => value);
  const now = useNow();
  const { ids, error } = useSubscribers(channel.stream_id);
  const [filter, setFilter] = useState("");
  const [adds, setAdds] = useState(false);
  const [saving, save] = useSaving();
  const isAdder = mayAddSubscribers(state, channel);
  const isRemover = mayRemoveSubscribers(state, channel);
  const matches = wordMatcher(filter);
  const people = (ids ?? [])
    .map((id) => personById(state, id))
    .filter((person): person is Person => person?.is_active === true)
    .filter(({ full_name }) => matches(full_name));
  const found = byPresence(state, people, now);
  const remove = (userId: number) =>
    save(() =>
      chat.client.call("DELETE /users/me/subscriptions", { subscriptions: [channel.name], principals: [userId] }),
    );

  if (adds) return <Add channel={channel} inIt={new Set(ids)} onDone={() => setAdds(false)} />;
  return (
    <>
      {isAdder && (
        <Button size="sm" variant="default" onClick={() => setAdds(true)}>
          {t("channelDialog.addPeople")}
        </Button>
      )}
      <SavingNote saving={saving} />
      {error !== undefined && <p role="alert">{error}</p>}
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
            {isRemover && person.user_id !== chat.userId && (
              <ActionIcon
                variant="subtle"
                color="gray"
                onClick={() => void remove(person.user_id)}
                aria-label={t("channelDialog.remove", { name: person.full_name })}
                title={t("channelDialog.remove", { name: person.full_name })}
              >
                <UserMinus size="1rem" aria-hidden="true" />
              </ActionIcon>
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
  inIt: ReadonlySet<number>;
  onDone(): void;
}

function Add({ channel, inIt, onDone }: AddProps) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [saving, save] = useSaving();
  const add = async () => {
    const subscriptions = [{ name: channel.name }];
    if (await save(() => chat.client.call("POST /users/me/subscriptions", { subscriptions, principals: [...chosen] })))
      onDone();
  };
  return (
    <>
      <ChoosePeople
        label={t("channelDialog.addPeople")}
        chosen={chosen}
        without={inIt}
        onChange={setChosen}
        onEnter={() => void add()}
      />
      <div className={classes.actions}>
        {chosen.length > 0 && (
          <BusyButton busy={saving === "saving"} onClick={() => void add()}>
            {t("channelDialog.add", { count: chosen.length })}
          </BusyButton>
        )}
        <Button variant="default" onClick={onDone}>
          {t("chat.cancel")}
        </Button>
        <SavingNote saving={saving} />
      </div>
    </>
  );
}
