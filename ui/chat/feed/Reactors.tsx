import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import type { Feed } from "../model/feed.ts";
import { personById } from "../model/selectors.ts";
import { ReactionEmoji, reactionGroups } from "./Reactions.tsx";
import list from "./ReadReceipts.module.css";

/** Who has reacted to a message of the open feed, by emoji: a mouse finds it out over a reaction, a finger here. */
export function Reactors({ messageId, onClose }: { messageId: number; onClose(): void }) {
  const { t } = useTranslation();
  const { chat, place } = useChat();
  return (
    <Dialog title={t("messageMenu.reactors")} onClose={onClose}>
      {place.page === "messages" && <Groups feed={chat.feed(place.narrow)} messageId={messageId} />}
    </Dialog>
  );
}

function Groups({ feed, messageId }: { feed: Feed; messageId: number }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  useStore(chat.pending.store, (all) => all.get(messageId));
  const message = useStore(feed.store, ({ messages }) => messages.find(({ id }) => id === messageId));
  const state = useChatState((value) => value);
  const groups = message ? [...reactionGroups(chat.pending.shown(message).reactions)] : [];
  if (groups.length === 0) return <p className={list.count}>{t("messageMenu.noReactors")}</p>;
  return groups.map(([key, group]) => (
    <section key={key}>
      <h3 className={list.emoji}>
        <ReactionEmoji reaction={group[0]} /> {group[0].emoji_name.replaceAll("_", " ")}
      </h3>
      <ul className={list.list}>
        {group.map(({ user_id }) => {
          const person = personById(state, user_id);
          return (
            <li key={user_id}>
              {person && <img src={person.avatar_url} alt="" width={24} height={24} loading="lazy" />}
              <bdi>{person?.full_name ?? t("chat.unknownPerson")}</bdi>
            </li>
          );
        })}
      </ul>
    </section>
  ));
}
