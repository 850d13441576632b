import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../api/client-context.ts";
import type { Channel } from "../../api/state-shape.ts";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat, useChatState } from "../chat-context.ts";
import classes from "./BrowseChannels.module.css";
import { ChannelIcon } from "./ChannelItem.tsx";
import list from "./PickList.module.css";

/** Every channel that one may know of, to join and to leave; and a new one by its name. */
export function BrowseChannels({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const client = useClient();
  const { go } = useChat();
  const state = useChatState((value) => value);
  const [filter, setFilter] = useState("");
  const [busy, setBusy] = useState<string>();
  const [error, setError] = useState<string>();
  const subscribed = new Set(state.subscriptions?.map(({ stream_id }) => stream_id));
  const all: Channel[] = [
    ...(state.subscriptions ?? []),
    ...(state.unsubscribed ?? []),
    ...(state.never_subscribed ?? []),
  ].filter(({ is_archived }) => !is_archived);
  const name = filter.trim();
  const found = all
    .filter((channel) => channel.name.toLocaleLowerCase().includes(name.toLocaleLowerCase()))
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  const isNew = name !== "" && !all.some((channel) => channel.name.toLocaleLowerCase() === name.toLocaleLowerCase());

  const change = async (channelName: string, work: () => Promise<unknown>) => {
    setBusy(channelName);
    setError(undefined);
    try {
      await work();
    } catch (caught) {
      setError(errorMessage(caught));
    } finally {
      setBusy(undefined);
    }
  };
  const join = (channelName: string) =>
    change(channelName, () => client.call("POST /users/me/subscriptions", { subscriptions: [{ name: channelName }] }));
  const leave = (channelName: string) =>
    change(channelName, () => client.call("DELETE /users/me/subscriptions", { subscriptions: [channelName] }));
  const open = (channelId: number) => {
    go({ page: "messages", narrow: { kind: "channel", channelId } });
    onClose();
  };

  return (
    <Dialog title={t("chat.browse.title")} onClose={onClose}>
      <TextInput
        label={t("chat.browse.filter")}
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
            <BusyButton
              size="xs"
              variant="default"
              busy={busy === channel.name}
              onClick={() => void (subscribed.has(channel.stream_id) ? leave(channel.name) : join(channel.name))}
              aria-label={t(subscribed.has(channel.stream_id) ? "chat.browse.leaveNamed" : "chat.browse.joinNamed", {
                name: channel.name,
              })}
            >
              {t(subscribed.has(channel.stream_id) ? "chat.browse.leave" : "chat.browse.join")}
            </BusyButton>
          </li>
        ))}
      </ul>
      {found.length === 0 && !isNew && <p className={list.empty}>{t("chat.browse.empty")}</p>}
      {isNew && (
        <Button variant="light" loading={busy === name} onClick={() => void join(name)}>
          {t("chat.browse.create", { name })}
        </Button>
      )}
    </Dialog>
  );
}
