import { Button, Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Channel } from "../../api/state-shape.ts";
import { TextSetting } from "../../parts/settings/settings.tsx";
import { useSaved } from "../../parts/settings/use-saved.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { KINDS, type Kind, kindOf, privacyOf, widens } from "../model/channel-kinds.ts";
import { INBOX } from "../model/narrow.ts";
import { administers, creatableKinds } from "../model/permissions.ts";
import { personById, subscriptionTo } from "../model/selectors.ts";
import { ConfirmButton } from "../parts/ConfirmButton.tsx";
import classes from "../settings/Settings.module.css";
import { Join } from "./Join.tsx";

export interface AboutProps {
  channel: Channel;
  onClose(): void;
}

/** A channel's name, description and kind. Channel administrators can change them. */
export function About({ channel, onClose }: AboutProps) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const isAdministered = useChatState((state) => administers(state, channel));
  const isSubscribed = useChatState((state) => subscriptionTo(state, channel.stream_id) !== undefined);
  const creator = useChatState((state) =>
    channel.creator_id === null ? undefined : personById(state, channel.creator_id),
  );
  const kind = kindOf(channel);
  const { stream_id } = channel;
  return (
    <div className={classes.form}>
      {isAdministered ? (
        <>
          <TextSetting
            label={t("newChannel.name")}
            value={channel.name}
            save={(new_name) => chat.client.call("PATCH /streams/{stream_id}", { stream_id, new_name })}
          />
          <TextSetting
            label={t("newChannel.description")}
            value={channel.description}
            multiline
            save={(description) => chat.client.call("PATCH /streams/{stream_id}", { stream_id, description })}
          />
          <KindSetting channel={channel} />
        </>
      ) : (
        <>
          {channel.description !== "" && <p>{channel.description}</p>}
          <p className={classes.hint}>
            {t(`channelKinds.names.${kind}`)}: {t(`channelKinds.hints.${kind}`)}
          </p>
        </>
      )}
      <p className={classes.hint}>
        {t("subscriptionSettings.people", { count: channel.subscriber_count })}
        {creator && ` · ${t("channelDialog.madeBy", { name: creator.full_name })}`}
      </p>
      {!isSubscribed && <Join channel={channel} />}
      {isAdministered && <Archive channel={channel} onClose={onClose} />}
    </div>
  );
}

/** A kind that lets more people read old messages needs a confirmation, because this cannot be undone. */
function KindSetting({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const [wider, setWider] = useState<Kind>();
  const creatable = useChatState((state) => creatableKinds(state).join());
  const label = t("newChannel.kind");
  const { shown, error, isSaving, change } = useSaved({
    value: kindOf(channel),
    name: label,
    save: (next) => {
      const { invite_only, ...privacy } = privacyOf(next);
      const { stream_id } = channel;
      return chat.client.call("PATCH /streams/{stream_id}", { stream_id, is_private: invite_only, ...privacy });
    },
  });
  const choose = (next: Kind) => {
    setWider(undefined);
    change(next);
  };
  const offered = KINDS.filter((kind) => kind === shown || creatable.split(",").includes(kind));
  return (
    <>
      <Select
        label={label}
        description={t(`channelKinds.hints.${wider ?? shown}`)}
        error={error}
        aria-busy={isSaving}
        allowDeselect={false}
        data={offered.map((value) => ({ value, label: t(`channelKinds.names.${value}`) }))}
        value={wider ?? shown}
        onChange={(picked) => {
          const next = picked as Kind;
          if (widens(shown, next)) setWider(next);
          else if (next !== shown) choose(next);
        }}
      />
      {wider && (
        <div className={classes.actions}>
          <p className={classes.hint}>{t("channelDialog.widens")}</p>
          <Button size="sm" variant="default" onClick={() => setWider(undefined)}>
            {t("chat.cancel")}
          </Button>
          <Button size="sm" onClick={() => choose(wider)}>
            {t("channelDialog.widen")}
          </Button>
        </div>
      )}
    </>
  );
}

function Archive({ channel, onClose }: AboutProps) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const { stream_id, name } = channel;
  const archive = async () => {
    await chat.client.call("DELETE /streams/{stream_id}", { stream_id });
    onClose();
    go(INBOX);
  };
  return (
    <div className={classes.actions}>
      <ConfirmButton
        label={t("channelDialog.archive")}
        confirmLabel={t("channelDialog.archiveSure", { name })}
        hint={<p className={classes.hint}>{t("channelDialog.archiveHint")}</p>}
        onConfirm={archive}
      />
    </div>
  );
}
