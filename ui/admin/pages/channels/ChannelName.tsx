import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { plainText } from "../../../parts/plain-text.ts";
import { useOrganization } from "../../admin-context.ts";
import classes from "./ChannelName.module.css";
import { type Channel, KIND_ICONS, kindOf } from "./channel-kinds.ts";

export interface ChannelNameProps {
  channel: Channel;
  /** Whether all channels of the list are default channels. */
  isAmongDefaults?: boolean;
}

export function ChannelName({ channel, isAmongDefaults = false }: ChannelNameProps) {
  const { t } = useTranslation();
  const isDefault = useOrganization((state) => state.realm_default_streams?.includes(channel.stream_id) ?? false);
  const description = useMemo(() => plainText(channel.rendered_description), [channel.rendered_description]);
  const kind = kindOf(channel);
  const Icon = KIND_ICONS[kind];
  return (
    <span className={classes.channel} data-archived={channel.is_archived}>
      <Icon size="1rem" aria-label={t(`channels.kinds.${kind}`)} />
      <span className={classes.words}>
        <span className={classes.line}>
          <bdi className={classes.name} title={channel.name}>
            {channel.name}
          </bdi>
          {isDefault && !isAmongDefaults && <span className={classes.mark}>{t("channels.default")}</span>}
          {channel.is_archived && <span className={classes.mark}>{t("channels.archived")}</span>}
        </span>
        {description !== "" && <span className={classes.description}>{description}</span>}
      </span>
    </span>
  );
}
