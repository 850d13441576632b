import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../api/client-context.ts";
import { BusyButton } from "../../parts/BusyButton.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { wordMatcher } from "../../parts/folded.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { mayCreateChannels, mayJoin } from "../model/permissions.ts";
import { allChannels, channelNamed } from "../model/selectors.ts";
import classes from "./BrowseChannels.module.css";
import { ChannelIcon } from "./ChannelItem.tsx";
import list from "./PickList.module.css";

/** Every channel that one may know of, to join and to leave; and the way to a new one. */
export function BrowseChannels({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const client = useClient();
  const { page, go } = useChat();
  const state = useChatState((value) => value);
  const [filter, setFilter] = useState("");
  /** Channels that are being joined (true) or left, by name: until the event is there, or a refusal. */
  const [changing, setChanging] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [error, setError] = useState<string>();
  const subscribed = new Set(state.subscriptions?.map(({ name }) => lower(name)));
  const isBusy = (channelName: string) => {
    const joins = changing.get(lower(channelName));
    return joins !== undefined && joins !== subscribed.has(lower(channelName));
  };
  const all = allChannels(state).filter(({ is_archived }) => !is_archived);
  const name = filter.trim();
  const matches = wordMatcher(name);
  const found = all
    .filter((channel) => matches(channel.name))
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  const isCreator = mayCreateChannels(state);
  const isNew = isCreator && name !== "" && !channelNamed(state, name);

  const change = async (channelName: string, joins: boolean) => {
    setChanging((before) => new Map(before).set(lower(channelName), joins));
    setError(undefined);
    try {
      if (joins) await client.call("POST /users/me/subscriptions", { subscriptions: [{ name: channelName }] });
      else await client.call("DELETE /users/me/subscriptions", { subscriptions: [channelName] });
    } catch (caught) {
      setError(errorMessage(caught));
      setChanging((before) => new Map([...before].filter(([one]) => one !== lower(channelName))));
    }
  };
  const open = (channelId: number) => {
    go({ page: "messages", narrow: { kind: "channel", channelId } });
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
            {mayJoin(state, channel) && (
              <BusyButton
                size="xs"
                variant="default"
                busy={isBusy(channel.name)}
                onClick={() => void change(channel.name, !subscribed.has(lower(channel.name)))}
                aria-label={t(
                  subscribed.has(lower(channel.name)) ? "chat.browse.leaveNamed" : "chat.browse.joinNamed",
                  { name: channel.name },
                )}
              >
                {t(subscribed.has(lower(channel.name)) ? "chat.browse.leave" : "chat.browse.join")}
              </BusyButton>
            )}
          </li>
        ))}
      </ul>
      {found.length === 0 && !isNew && <p className={list.empty}>{t("chat.browse.empty")}</p>}
      {isCreator && (
        <Button
          variant="light"
          onClick={() =>
            page.update((before) => ({ ...before, dialog: { kind: "newChannel", ...(isNew && { name }) } }))
          }
        >
          {isNew ? t("chat.browse.create", { name }) : t("newChannel.title")}
        </Button>
      )}
    </Dialog>
  );
}

const lower = (name: string): string => name.toLocaleLowerCase();
