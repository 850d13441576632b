import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { wordMatcher } from "../../parts/folded.ts";
import { useNow } from "../../parts/use-now.ts";
import { useChat, useDerived } from "../chat-context.ts";
import type { Narrow } from "../model/narrow.ts";
import { byPresence } from "../model/people.ts";
import { type Person, personById } from "../model/selectors.ts";
import { PersonRow } from "../people/PersonRow.tsx";
import { useSubscribers } from "../people/use-subscribers.ts";
import classes from "./SidePanel.module.css";

const MAX_SHOWN = 200;
const NO_ONE: readonly number[] = [];

/** The people of a conversation, present people first. */
export function People({ narrow }: { narrow: Narrow | undefined }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const now = useNow();
  const [filter, setFilter] = useState("");
  const ids = useMemberIds(narrow);
  const found = useDerived((state) => {
    const isActive = (person: Person | undefined): person is Person => person?.is_active === true;
    const people = ids ? ids.map((id) => personById(state, id)).filter(isActive) : (state.realm_users ?? []);
    const isMatch = wordMatcher(filter);
    return byPresence(
      state,
      people.filter(({ full_name }) => isMatch(full_name)),
      now,
    );
  });
  const shown = found.slice(0, MAX_SHOWN);
  const here = shown.filter(({ presence, person }) => presence !== "offline" || person.user_id === chat.userId);
  const others = shown.filter((one) => !here.includes(one));
  return (
    <>
      <TextInput
        className={classes.search}
        size="sm"
        type="search"
        aria-label={t("chatPeople.panel.find")}
        placeholder={t("chatPeople.panel.find")}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      <div className={classes.scroll}>
        {here.length > 0 && (
          <>
            <h3>{t("chatPeople.panel.here", { count: here.length })}</h3>
            <Rows rows={here} />
          </>
        )}
        {others.length > 0 && (
          <>
            <h3>{t("chatPeople.panel.others")}</h3>
            <Rows rows={others} />
          </>
        )}
        {found.length === 0 && <p className={classes.empty}>{t("chatPeople.panel.nobody")}</p>}
        {found.length > shown.length && (
          <p className={classes.empty}>{t("chatPeople.panel.more", { count: found.length - shown.length })}</p>
        )}
      </div>
    </>
  );
}

function Rows({ rows }: { rows: ReturnType<typeof byPresence> }) {
  return (
    <ul className={classes.list}>
      {rows.map(({ person, presence }) => (
        <li key={person.user_id}>
          <PersonRow person={person} presence={presence} />
        </li>
      ))}
    </ul>
  );
}

/** The people of a channel or direct conversation. Undefined means all people. */
function useMemberIds(narrow: Narrow | undefined): readonly number[] | undefined {
  const { chat } = useChat();
  const channelId = narrow && "channelId" in narrow ? narrow.channelId : undefined;
  const { data: subscribers = NO_ONE } = useSubscribers(channelId);
  if (channelId !== undefined) return subscribers;
  return narrow?.kind === "direct" ? [...new Set([...narrow.userIds, chat.userId])] : undefined;
}
