import {
  Bell,
  BellOff,
  BookmarkCheck,
  CheckCheck,
  CircleCheckBig,
  Link,
  PencilLine,
  RotateCcw,
  Trash2,
} from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import { copyText } from "../../parts/copy-text.ts";
import { loadMarking } from "../feed/use-mark-read.ts";
import { narrowKey } from "../model/narrow.ts";
import { mayMove, mayResolve } from "../model/permissions.ts";
import { isTopicFollowed, isTopicMuted, POLICY, type Policy } from "../model/topic-policies.ts";
import { unreadCounts } from "../model/unread.ts";
import { serverUrl } from "../server-url.ts";
import { addressIn } from "../use-place.ts";
import { type Action, type ActionContext, setPage } from "./action.ts";

/** The name of a resolved topic begins with this: docs/protocol.md#resolved-topics. */
const RESOLVED = "✔ ";

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED);

export interface TopicThing {
  readonly channelId: number;
  readonly topic: string;
  /** Any message of the topic, which requests that change it need. Undefined while none is known. */
  readonly messageId: number | undefined;
}

export const TOPIC_ACTIONS: readonly Action<TopicThing>[] = [
  {
    id: "markTopicRead",
    label: (t) => t("chat.markRead"),
    icon: CheckCheck,
    shownIn: ["menu", "palette"],
    isAvailable: (state, thing) => (unreadCounts(state).conversations.get(narrowKey(narrowTo(thing))) ?? 0) > 0,
    run: ({ markRead }, thing) => markRead(narrowTo(thing)),
  },
  {
    id: "followTopic",
    label: (t) => t("topics.follow"),
    icon: BookmarkCheck,
    shownIn: ["menu", "palette"],
    on: { label: (t) => t("topics.unfollow"), icon: BookmarkCheck },
    isOn: (state, { channelId, topic }) => isTopicFollowed(state, channelId, topic),
    run: (context, thing) =>
      setPolicy(
        context,
        thing,
        isTopicFollowed(stateOf(context), thing.channelId, thing.topic) ? POLICY.none : POLICY.followed,
      ),
  },
  {
    id: "muteTopic",
    label: (t) => t("topics.mute"),
    icon: BellOff,
    shortcut: { keys: ["M"], group: "message", help: (t) => t("shortcuts.actions.muteTopic") },
    shownIn: ["menu", "palette"],
    on: { label: (t) => t("topics.unmute"), icon: Bell },
    isOn: (state, { channelId, topic }) => isTopicMuted(state, channelId, topic),
    run: (context, thing) =>
      setPolicy(
        context,
        thing,
        isTopicMuted(stateOf(context), thing.channelId, thing.topic) ? POLICY.unmuted : POLICY.muted,
      ),
  },
  {
    id: "copyTopicLink",
    label: (t) => t("chat.tools.copyLink"),
    icon: Link,
    shownIn: ["menu"],
    run: ({ chat }, thing) =>
      copyText(`${serverUrl()}/${addressIn(chat.state.value, { page: "messages", narrow: narrowTo(thing) })}`),
  },
  {
    id: "resolve",
    label: (t) => t("chat.resolve"),
    icon: CircleCheckBig,
    shownIn: ["toolbar", "menu", "palette"],
    on: { label: (t) => t("chat.unresolve"), icon: RotateCcw },
    isOn: (_, { topic }) => isResolved(topic),
    isAvailable: (state, { channelId, topic, messageId }) =>
      topic !== "" && messageId !== undefined && mayResolve(state, channelId),
    run: toggleResolved,
  },
  {
    id: "moveTopic",
    label: (t) => t("topics.rename"),
    icon: PencilLine,
    shownIn: ["menu", "palette"],
    isAvailable: (state, { channelId, messageId }) => messageId !== undefined && mayMove(state, channelId),
    run: startMove,
  },
  {
    id: "deleteTopic",
    label: (t) => t("topics.delete"),
    icon: Trash2,
    shownIn: ["menu"],
    isDestructive: true,
    isAvailable: ({ is_admin }) => is_admin === true,
    run: (context, { channelId, topic }) => setPage(context, { dialog: { kind: "deleteTopic", channelId, topic } }),
  },
];

const narrowTo = ({ channelId, topic }: TopicThing) => ({ kind: "topic", channelId, topic }) as const;
const stateOf = ({ chat }: ActionContext): State => chat.state.value ?? {};

const isOpen = ({ place }: ActionContext, thing: TopicThing): boolean =>
  place.page === "messages" && narrowKey(place.narrow) === narrowKey(narrowTo(thing));

const setPolicy = ({ chat }: ActionContext, { channelId, topic }: TopicThing, visibility_policy: Policy) =>
  chat.client.call("POST /user_topics", { stream_id: channelId, topic, visibility_policy });

/** Without room for the mark, it asks for a shorter name. */
function toggleResolved(context: ActionContext, thing: TopicThing): unknown {
  const { topic } = thing;
  if (isResolved(topic)) return rename(context, thing, topic.slice(RESOLVED.length));
  const room = (stateOf(context).max_topic_length ?? Number.POSITIVE_INFINITY) - RESOLVED.length;
  if ([...topic].length <= room) return rename(context, thing, RESOLVED + topic);
  startMove(context, thing);
  return setPage(context, { notice: context.t("chat.noRoomForMark", { count: room }) });
}

async function rename(context: ActionContext, thing: TopicThing, topic: string): Promise<void> {
  const { messageId } = thing;
  if (messageId === undefined) return;
  const { moveMessages } = await loadMarking();
  const from = narrowTo(thing);
  const to = { ...from, topic };
  const movement = { messageId, mode: "change_all", from, to } as const;
  await moveMessages(context, movement, isResolved(topic) ? "resolved" : "unresolved");
  if (isOpen(context, thing)) context.go({ page: "messages", narrow: to }, "messages");
}

/** Opens the form for another name or channel, above the topic's messages. */
function startMove(context: ActionContext, thing: TopicThing): void {
  const { channelId, topic, messageId } = thing;
  if (messageId === undefined) return;
  if (!isOpen(context, thing)) context.go({ page: "messages", narrow: narrowTo(thing) }, "messages");
  setPage(context, { move: { messageId, channelId, topic, mode: "change_all" } });
}
