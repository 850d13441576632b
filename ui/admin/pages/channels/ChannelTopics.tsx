import { Button, Menu, Skeleton, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Check, CircleCheck, MoreHorizontal } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { topicAddress } from "../../../parts/chat-address.ts";
import { errorMessage } from "../../../parts/error-messages.ts";
import { wordMatcher } from "../../../parts/folded.ts";
import { moveWithUndo } from "../../../parts/move-with-undo.ts";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { ChatLink } from "../../parts/ChatLink.tsx";
import classes from "../../parts/details.module.css";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { IconButton } from "../../parts/IconButton.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import type { Channel } from "./channel-kinds.ts";
import { DeleteTopicDialog } from "./DeleteTopicDialog.tsx";
import { MoveTopicDialog } from "./MoveTopicDialog.tsx";
import { TOPICS, type Topic, useTopics } from "./use-topics.ts";

const RESOLVED = "✔ ";
/** Number of rows before and after each click on the button for more. */
const PAGE = 100;

interface OpenDialog {
  kind: "move" | "delete";
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
  const [dialog, setDialog] = useState<OpenDialog>();

  if (error) return <Callout tone="info">{t("channels.topics.refused", { reason: errorMessage(error) })}</Callout>;
  if (!data) return <Skeleton height="8rem" />;
  if (data.topics.length === 0) return <EmptyState title={t("channels.topics.empty")} />;

  const nameOf = ({ name }: Topic) => (name === "" ? emptyName : name);
  const matches = wordMatcher(query);
  const found = data.topics.filter((topic) => matches(nameOf(topic)));
  const refetch = () => queries.invalidateQueries({ queryKey: [TOPICS] });

  const toggleResolved = async ({ name, max_id }: Topic) => {
    const isResolved = name.startsWith(RESOLVED);
    const channelId = channel.stream_id;
    const topic = isResolved ? name.slice(RESOLVED.length) : `${RESOLVED}${name}`;
    const movement = { from: { channelId, topic: name }, to: { channelId, topic } };
    const undo = await moveWithUndo(client, { messageId: max_id, mode: "change_all", ...movement });
    await refetch();
    noticeDone(
      t(isResolved ? "channels.topics.reopened" : "channels.topics.resolved", { name }),
      undo && (() => undo().then(refetch)),
    );
  };

  return (
    <div>
      <SearchField
        placeholder={t("table.search")}
        aria-label={t("channels.topics.search")}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      <Hint size="xs" mt="xxs" role="status">
        {t("channels.topics.count", { count: found.length })}
      </Hint>
      <ul className={classes.list} aria-label={t("channels.tabs.topics")}>
        {found.slice(0, shown).map((topic) => {
          const isResolved = topic.name.startsWith(RESOLVED);
          const name = nameOf(topic);
          return (
            <li key={topic.name} className={classes.item}>
              <Text
                component="bdi"
                size="sm"
                className={classes.itemName}
                {...(topic.name === "" && { c: "dimmed", fs: "italic" })}
              >
                <ChatLink address={topicAddress(channel.stream_id, topic.name)}>{name}</ChatLink>
              </Text>
              <Menu position="bottom-end" shadow="md">
                <Menu.Target>
                  <IconButton label={t("channels.topics.actions", { name })}>
                    <MoreHorizontal size="1.125rem" aria-hidden="true" />
                  </IconButton>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => setDialog({ kind: "move", topic })}>{t("channels.topics.move")}</Menu.Item>
                  {topic.name !== "" && (
                    <Menu.Item
                      leftSection={
                        isResolved ? (
                          <Check size="1rem" aria-hidden="true" />
                        ) : (
                          <CircleCheck size="1rem" aria-hidden="true" />
                        )
                      }
                      onClick={() => void toggleResolved(topic).catch(noticeError)}
                    >
                      {t(isResolved ? "channels.topics.reopen" : "channels.topics.resolve")}
                    </Menu.Item>
                  )}
                  <Menu.Item color="red" onClick={() => setDialog({ kind: "delete", topic })}>
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
      {dialog?.kind === "move" && (
        <MoveTopicDialog
          channel={channel}
          topic={dialog.topic}
          onMoved={refetch}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog?.kind === "delete" && (
        <DeleteTopicDialog
          channel={channel}
          topic={dialog.topic}
          name={nameOf(dialog.topic)}
          onChanged={refetch}
          onClose={() => setDialog(undefined)}
        />
      )}
    </div>
  );
}
