import { Button, Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import { ChannelName } from "../channels/ChannelName.tsx";
import type { Channel } from "../channels/channel-kinds.ts";
import classes from "./DefaultsPage.module.css";

export function DefaultChannels({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const channels = useOrganization(({ streams }) => streams) ?? [];
  const ids = useOrganization((state) => state.realm_default_streams) ?? [];
  const byName = (a: Channel, b: Channel) => a.name.localeCompare(b.name);
  const defaults = channels.filter(({ stream_id }) => ids.includes(stream_id)).sort(byName);
  const offered = channels
    .filter(({ stream_id, invite_only, is_archived }) => !ids.includes(stream_id) && !invite_only && !is_archived)
    .sort(byName);

  const add = ({ stream_id }: Channel) => client.call("POST /default_streams", { stream_id });
  const remove = ({ stream_id }: Channel) => client.call("DELETE /default_streams", { stream_id });
  const run = async (act: Promise<unknown>, text: string, undo: () => Promise<unknown>) => {
    try {
      await act;
      noticeDone(text, undo);
    } catch (error) {
      noticeError(error);
    }
  };

  return (
    <section className={classes.section} aria-labelledby="default-channels">
      <h3 id="default-channels">{t("newMembers.channels.title")}</h3>
      <p className={classes.lead}>
        {defaults.length === 0
          ? t("newMembers.channels.none")
          : t("newMembers.channels.lead", { count: defaults.length })}
      </p>
      <ul className={classes.list}>
        {defaults.map((channel) => {
          const { stream_id, name, subscriber_count: count } = channel;
          return (
            <li key={stream_id} className={classes.entry}>
              <ChannelName channel={channel} isAmongDefaults />
              {mayChange && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={t("newMembers.channels.remove", { name })}
                  onClick={() =>
                    void run(remove(channel), t("newMembers.channels.removed", { name, count }), () => add(channel))
                  }
                >
                  {t("newMembers.channels.removeShort")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {mayChange && offered.length > 0 && (
        <Select
          label={t("newMembers.channels.add")}
          description={t("newMembers.channels.addHint")}
          data={offered.map(({ stream_id, name }) => ({ value: String(stream_id), label: name }))}
          value={null}
          searchable
          key={ids.length} // empty again after each choice
          onChange={(picked) => {
            const channel = offered.find(({ stream_id }) => String(stream_id) === picked);
            if (!channel) return;
            void run(add(channel), t("newMembers.channels.added", { name: channel.name }), () => remove(channel));
          }}
        />
      )}
    </section>
  );
}
