import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../api/client-context.ts";
import type { Channel } from "../../api/state-shape.ts";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { holdsWords } from "../../parts/folded.ts";
import { setPage } from "../actions/action.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { mayCreateChannels, mayJoin } from "../model/permissions.ts";
import { channelNamed, subscriptionTo } from "../model/selectors.ts";
import classes from "./BrowseChannels.module.css";
import { ChannelIcon } from "./ChannelItem.tsx";
import list from "./PickList.module.css";

export function BrowseChannels({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const context = useChat();
  const subscriptions = useChatState((state) => state.subscriptions);
  const unsubscribed = useChatState((state) => state.unsubscribed);
  const neverSubscribed = useChatState((state) => state.never_subscribed);
  const [filter, setFilter] = useState("");
  const [error, setError] = useState<string>();
  const name = filter.trim();
  const hasWords = holdsWords(name);
  const found = [...(subscriptions ?? []), ...(unsubscribed ?? []), ...(neverSubscribed ?? [])]
    .filter((channel) => !channel.is_archived && hasWords(channel.name))
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  const isCreator = useChatState(mayCreateChannels);
  const isTaken = useChatState((state) => channelNamed(state, name) !== undefined);
  const isNew = isCreator && name !== "" && !isTaken;
  const open = (channelId: number) => {
    context.go({ page: "messages", narrow: { kind: "channel", channelId } });
    onClose();
  };

  return (
    <Dialog title={t("chat.browse.title")} finds onClose={onClose}>
      <TextInput
        label={t(isCreator ? "chat.browse.filter" : "chat.browse.find")}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
        data-autofocus
      />
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
      <ul className={list.list}>
        {found.map((channel) => (
          <li key={channel.stream_id} className={classes.channel}>
            <span className={classes.icon}>
              <ChannelIcon channel={channel} />
            </span>
            <button type="button" className={classes.name} onClick={() => open(channel.stream_id)}>
              <bdi>{channel.name}</bdi>
              {channel.description !== "" && <span className={classes.description}>{channel.description}</span>}
            </button>
            <JoinButton channel={channel} onError={setError} />
          </li>
        ))}
      </ul>
      {found.length === 0 && !isNew && <p className={list.empty}>{t("chat.browse.empty")}</p>}
      {isCreator && (
        <Button
          variant="light"
          onClick={() => setPage(context, { dialog: { kind: "newChannel", ...(isNew && { name }) } })}
        >
          {isNew ? t("chat.browse.create", { name }) : t("newChannel.title")}
        </Button>
      )}
    </Dialog>
  );
}

interface JoinButtonProps {
  channel: Channel;
  onError(error: string | undefined): void;
}

function JoinButton({ channel, onError }: JoinButtonProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { name } = channel;
  const isIn = useChatState((state) => subscriptionTo(state, channel.stream_id) !== undefined);
  const isAllowed = useChatState((state) => mayJoin(state, channel));
  /** Whether the person wants to be in the channel. The event that confirms it comes later than the response. */
  const [wanted, setWanted] = useState<boolean>();
  const change = async () => {
    setWanted(!isIn);
    onError(undefined);
    try {
      if (isIn) await client.call("DELETE /users/me/subscriptions", { subscriptions: [name] });
      else await client.call("POST /users/me/subscriptions", { subscriptions: [{ name }] });
    } catch (caught) {
      onError(errorMessage(caught));
      setWanted(undefined);
    }
  };
  if (!isAllowed) return null;
  return (
    <BusyButton
      size="xs"
      variant="default"
      busy={wanted !== undefined && wanted !== isIn}
      onClick={() => void change()}
      aria-label={t(isIn ? "chat.browse.leaveNamed" : "chat.browse.joinNamed", { name })}
    >
      {t(isIn ? "chat.browse.leave" : "chat.browse.join")}
    </BusyButton>
  );
}
