import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { useChat } from "../chat-context.ts";
import type { Feed } from "../model/feed.ts";
import classes from "./MessageDialogs.module.css";
import { ReactionEmoji, reactionGroups } from "./Reactions.tsx";
import { PersonList } from "./ReadReceipts.tsx";

/** Who has reacted to a message of the open feed, by emoji. Phones have no tooltips that could show it. */
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
  const groups = message ? [...reactionGroups(chat.pending.shown(message).reactions)] : [];
  if (groups.length === 0)
    return (
      <Text size="sm" c="var(--hearth-ink-soft)" mb="xs">
        {t("messageMenu.noReactors")}
      </Text>
    );
  return groups.map(([key, group]) => (
    <section key={key}>
      <h3 className={classes.emoji}>
        <ReactionEmoji reaction={group[0]} /> {group[0].emoji_name.replaceAll("_", " ")}
      </h3>
      <PersonList userIds={group.map(({ user_id }) => user_id)} />
    </section>
  ));
}
