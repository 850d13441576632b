import { Button, Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { useOrganization } from "../../admin-context.ts";
import { EntryList } from "../../parts/EntryList.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { useWrite } from "../../use-write.ts";
import { ChannelName } from "../channels/ChannelName.tsx";
import type { Channel } from "../channels/channel-kinds.ts";

export function DefaultChannels({ mayChange }: { mayChange: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const { mutate: write } = useWrite();
  const channels = useOrganization(({ streams }) => streams) ?? [];
  const ids = useOrganization((state) => state.realm_default_streams) ?? [];
  const byName = (a: Channel, b: Channel) => a.name.localeCompare(b.name);
  const defaults = channels.filter(({ stream_id }) => ids.includes(stream_id)).sort(byName);
  const offered = channels
    .filter(({ stream_id, invite_only, is_archived }) => !ids.includes(stream_id) && !invite_only && !is_archived)
    .sort(byName);

  const add = ({ stream_id }: Channel) => client.call("POST /default_streams", { stream_id });
  const remove = ({ stream_id }: Channel) => client.call("DELETE /default_streams", { stream_id });

  return (
    <PageSection
      title={t("newMembers.channels.title")}
      description={
        defaults.length === 0
          ? t("newMembers.channels.none")
          : t("newMembers.channels.lead", { count: defaults.length })
      }
    >
      <EntryList
        label={t("newMembers.channels.title")}
        entries={defaults.map((channel) => {
          const { stream_id: id, name, subscriber_count: count } = channel;
          return {
            id,
            name,
            content: <ChannelName channel={channel} isAmongDefaults />,
            tools: mayChange && (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t("newMembers.channels.remove", { name })}
                onClick={() =>
                  write({
                    run: () => remove(channel),
                    done: t("newMembers.channels.removed", { name, count }),
                    undo: () => add(channel),
                  })
                }
              >
                {t("newMembers.channels.removeShort")}
              </Button>
            ),
          };
        })}
      />
      {mayChange && offered.length > 0 && (
        <Select
          label={t("newMembers.channels.add")}
          description={t("newMembers.channels.addHint")}
          data={offered.map(({ stream_id, name }) => ({ value: String(stream_id), label: name }))}
          value={null}
          searchable
          key={ids.length} // Empties the field after each choice.
          onChange={(picked) => {
            const channel = offered.find(({ stream_id }) => String(stream_id) === picked);
            if (channel)
              write({
                run: () => add(channel),
                done: t("newMembers.channels.added", { name: channel.name }),
                undo: () => remove(channel),
              });
          }}
        />
      )}
    </PageSection>
  );
}
