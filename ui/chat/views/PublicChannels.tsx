import { useTranslation } from "react-i18next";
import { useChat, useChatState, useDerived } from "../chat-context.ts";
import { channelGroups } from "../model/selectors.ts";
import { PageHeader } from "../parts/PageHeader.tsx";
import { ChannelIcon } from "../sidebar/ChannelItem.tsx";
import { addressIn } from "../use-place.ts";
import classes from "./Spectator.module.css";

/** The start page without an account: the channels that are open to the web. */
export function PublicChannels() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const organization = useChatState(({ realm_name }) => realm_name ?? "");
  const channels = useDerived((state) => channelGroups(state).flatMap((group) => group.channels));
  return (
    <>
      <PageHeader title={organization} />
      <div className={classes.page}>
        <p className={classes.lead}>{t(channels.length > 0 ? "spectator.lead" : "spectator.noChannels")}</p>
        <ul className={classes.channels}>
          {channels.map((channel) => (
            <li key={channel.stream_id}>
              <a
                href={addressIn(chat.state.value, {
                  page: "messages",
                  narrow: { kind: "channel", channelId: channel.stream_id },
                })}
              >
                <span className={classes.name}>
                  <ChannelIcon channel={channel} />
                  <bdi>{channel.name}</bdi>
                </span>
                {channel.description && <bdi className={classes.description}>{channel.description}</bdi>}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
