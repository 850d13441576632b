import { Menu } from "@mantine/core";
import { Bell, BellOff, BookmarkCheck, Check, CheckCheck, Link, PencilLine, RotateCcw, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ActionsMenu } from "../ActionsMenu.tsx";
import { useChatState } from "../chat-context.ts";
import { narrowKey } from "../model/narrow.ts";
import { mayMove, mayResolve } from "../model/permissions.ts";
import { isTopicMuted, POLICY, topicPolicy } from "../model/topic-policies.ts";
import { unreadCounts } from "../model/unread.ts";
import { isResolved, type TopicReference, useTopicActions } from "./use-topic-actions.ts";

export interface TopicMenuProps extends TopicReference {
  size?: "sm" | "lg";
  className?: string | undefined;
}

/** What can be done with a topic, wherever it stands: in its header, in the sidebar, above its messages. */
export function TopicMenu({ size = "lg", className, ...reference }: TopicMenuProps) {
  const { t } = useTranslation();
  const { topic } = reference;
  const name = topic === "" ? t("chat.generalTopic") : topic;
  return (
    <ActionsMenu label={t("topics.menu", { topic: name })} size={size} className={className}>
      <Items {...reference} />
    </ActionsMenu>
  );
}

const ICON = { size: "1rem", "aria-hidden": true } as const;

function Items(reference: TopicReference) {
  const { t } = useTranslation();
  const { channelId, topic, messageId } = reference;
  const actions = useTopicActions(reference);
  const unread = useChatState(
    (state) => unreadCounts(state).conversations.get(narrowKey({ kind: "topic", channelId, topic })) ?? 0,
  );
  const policy = useChatState((state) => topicPolicy(state, channelId, topic));
  const isMuted = useChatState((state) => isTopicMuted(state, channelId, topic));
  const isResolvable = useChatState((state) => mayResolve(state, channelId));
  const isMovable = useChatState((state) => mayMove(state, channelId));
  const mayDelete = useChatState((state) => state.is_admin ?? false);
  return (
    <>
      {unread > 0 && (
        <Menu.Item leftSection={<CheckCheck {...ICON} />} onClick={actions.markRead}>
          {t("chat.markRead")}
        </Menu.Item>
      )}
      {topic !== "" && messageId !== undefined && isResolvable && (
        <Menu.Item
          leftSection={isResolved(topic) ? <RotateCcw {...ICON} /> : <Check {...ICON} />}
          onClick={actions.toggleResolved}
        >
          {t(isResolved(topic) ? "chat.unresolve" : "chat.resolve")}
        </Menu.Item>
      )}
      {messageId !== undefined && isMovable && (
        <Menu.Item leftSection={<PencilLine {...ICON} />} onClick={actions.startMove}>
          {t("topics.rename")}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<BookmarkCheck {...ICON} />}
        onClick={() => actions.setPolicy(policy === POLICY.followed ? POLICY.none : POLICY.followed)}
      >
        {t(policy === POLICY.followed ? "topics.unfollow" : "topics.follow")}
      </Menu.Item>
      <Menu.Item
        leftSection={isMuted ? <Bell {...ICON} /> : <BellOff {...ICON} />}
        onClick={() => actions.setPolicy(isMuted ? POLICY.unmuted : POLICY.muted)}
      >
        {t(isMuted ? "topics.unmute" : "topics.mute")}
      </Menu.Item>
      <Menu.Item leftSection={<Link {...ICON} />} onClick={actions.copyLink}>
        {t("chat.tools.copyLink")}
      </Menu.Item>
      {mayDelete && (
        <Menu.Item color="red" leftSection={<Trash2 {...ICON} />} onClick={actions.startDeletion}>
          {t("topics.delete")}
        </Menu.Item>
      )}
    </>
  );
}
