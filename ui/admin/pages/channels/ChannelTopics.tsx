import { ActionIcon, Button, Menu, Skeleton } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Check, CircleCheck, MoreHorizontal } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { topicAddress } from "../../../parts/chat-address.ts";
import { errorMessage } from "../../../parts/error-messages.ts";
import { wordMatcher } from "../../../parts/folded.ts";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import { ChatLink } from "../../parts/ChatLink.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import classes from "./ChannelDrawer.module.css";
import type { Channel } from "./channel-kinds.ts";
import { DeleteTopicDialog } from "./DeleteTopicDialog.tsx";
import { MoveTopicDialog } from "./MoveTopicDialog.tsx";
import type { Topic } from "./topic.ts";
import { TOPICS, useTopics } from "./use-topics.ts";

const RESOLVED = "✔ ";
/** Rows that are drawn at once; the rest on demand. */
const PAGE = 100;

interface Asked {
  what: "move" | "delete";
  topic: Topic;
}

export function ChannelTopics({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const { data, error } = useTopics(channel);
  const emptyName = useOrganization((state) => state.realm_empty_topic_display_name ?? "");
  const [query, setQuery] = useState("");
  const [shown, setShown] = useState(PAGE);
  const [asked, setAsked] = useState<Asked>();

  if (error) return <Callout tone="info">{t("channels.topics.refused", { reason: errorMessage(error) })}</Callout>;
  if (!data) return <Skeleton height="8rem" />;
  if (data.topics.length === 0) return <EmptyState title={t("channels.topics.empty")} />;

  const nameOf = ({ name }: Topic) => (name === "" ? emptyName : name);
  const matches = wordMatcher(query);
  const found = data.topics.filter((topic) => matches(nameOf(topic)));
  const changed = () => queries.invalidateQueries({ queryKey: [TOPICS] });

  const rename = (topic: Topic, name: string) =>
    client.call("PATCH /messages/{message_id}", {
      message_id: topic.max_id,
      topic: name,
      propagate_mode: "change_all",
      send_notification_to_new_thread: true,
    });
  const toggleResolved = async (topic: Topic) => {
    const isResolved = topic.name.startsWith(RESOLVED);
    try {
      await rename(topic, isResolved ? topic.name.slice(RESOLVED.length) : `${RESOLVED}${topic.name}`);
      const done = t(isResolved ? "channels.topics.reopened" : "channels.topics.resolved", { name: nameOf(topic) });
      noticeDone(done, () => rename(topic, topic.name).then(changed));
      await changed();
    } catch (refused) {
      noticeError(refused);
    }
  };

  return (
    <div>
      <SearchField
        placeholder={t("table.search")}
        aria-label={t("channels.topics.search")}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      <p className={classes.note} role="status">
        {t("channels.topics.count", { count: found.length })}
      </p>
      <ul className={classes.list} aria-label={t("channels.tabs.topics")}>
        {found.slice(0, shown).map((topic) => {
          const isResolved = topic.name.startsWith(RESOLVED);
          const name = nameOf(topic);
          return (
            <li key={topic.name} className={classes.row}>
              <bdi className={topic.name === "" ? `${classes.rowName} ${classes.hidden}` : classes.rowName}>
                <ChatLink address={topicAddress(channel.stream_id, topic.name)}>{name}</ChatLink>
              </bdi>
              <Menu position="bottom-end" shadow="md">
                <Menu.Target>
                  <ActionIcon variant="subtle" color="gray" aria-label={t("channels.topics.actions", { name })}>
                    <MoreHorizontal size="1.125rem" aria-hidden="true" />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => setAsked({ what: "move", topic })}>{t("channels.topics.move")}</Menu.Item>
                  {topic.name !== "" && (
                    <Menu.Item
                      leftSection={
                        isResolved ? (
                          <Check size="1rem" aria-hidden="true" />
                        ) : (
                          <CircleCheck size="1rem" aria-hidden="true" />
                        )
                      }
                      onClick={() => void toggleResolved(topic)}
                    >
                      {t(isResolved ? "channels.topics.reopen" : "channels.topics.resolve")}
                    </Menu.Item>
                  )}
                  <Menu.Item color="red" onClick={() => setAsked({ what: "delete", topic })}>
                    {t("channels.topics.delete")}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </li>
          );
        })}
      </ul>
      {found.length > shown && (
        <Button variant="subtle" size="compact-sm" mt="sm" onClick={() => setShown(shown + PAGE)}>
          {t("channels.topics.more", { count: found.length - shown })}
        </Button>
      )}
      {asked?.what === "move" && (
        <MoveTopicDialog channel={channel} topic={asked.topic} onMoved={changed} onClose={() => setAsked(undefined)} />
      )}
      {asked?.what === "delete" && (
        <DeleteTopicDialog
          channel={channel}
          topic={asked.topic}
          name={nameOf(asked.topic)}
          onChanged={changed}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}
