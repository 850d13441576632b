import { createHash } from "node:crypto";
import { ApiError, badRequest, problem, refusedParameter } from "../../errors.ts";
import { msSince } from "../../storage/ages.ts";
import type { Reader } from "../../storage/transaction.ts";
import { type Channel, channelById } from "../queries/channels.ts";
import { membersOf } from "../queries/conversations.ts";
import { firstInTopicSince, type MessageRow, messagesInTopicFrom, widgetOf } from "../queries/messages.ts";
import { organizationSetting } from "../queries/organization.ts";
import { subscribersOf } from "../queries/subscriptions.ts";
import { RESOLVED, topicFromInput, topicId, withoutResolved } from "../queries/topics.ts";
import { isInGroup } from "../queries/user-group-members.ts";
import { ROLES, type User, userById } from "../queries/users.ts";
import { administers, allowedTopic, canSeeChannel, channelToPostIn } from "./channels.ts";
import { type Destination, validTopic } from "./destinations.ts";
import { type MessageVisibility, messageToRead } from "./messages.ts";
import { isPermitted } from "./roles.ts";

export const PROPAGATE_MODES = ["change_one", "change_later", "change_all"] as const;
export type PropagateMode = (typeof PROPAGATE_MODES)[number];

/** Undefined values do not change. */
interface MessagePatch {
  content?: string | undefined;
  topic?: string | undefined;
  channelId?: number | undefined;
  propagateMode: PropagateMode;
  /** SHA-256 of the text that the client expects to replace, in lower-case hexadecimal. */
  prevContentSha256?: string | undefined;
}

/** Contains only what changes. */
interface AllowedEdit {
  row: MessageRow;
  /** The new text, and the destination that it is rendered for. */
  text?: { content: string; to: Destination };
  move?: {
    /** Ascending, including the message itself. */
    ids: number[];
    channel?: Channel;
    topic?: string;
  };
}

const DELETED_TEXT = "(deleted)";

export function allowedEdit(reader: Reader, viewer: User, id: number, input: MessagePatch, now: number): AllowedEdit {
  const { row, visibility } = messageToRead(reader, viewer, id);
  const source = row.channel_id === null ? undefined : channelById(reader, row.channel_id);
  const moves = input.topic !== undefined || input.channelId !== undefined;
  if (input.content === undefined && !moves) throw nothingToChange();
  if (input.content !== undefined && input.channelId !== undefined) {
    const parameters = "content, stream_id";
    throw badRequest("edit_while_moving", {}, { parameters });
  }
  if (moves && !source) throw badRequest("direct_message_not_movable");
  if (input.propagateMode !== "change_one" && !moves)
    throw refusedParameter("propagate_mode", "propagate_mode_without_move");
  if (input.prevContentSha256 !== undefined && input.prevContentSha256 !== sha256(row.content)) {
    throw new ApiError("EXPECTATION_MISMATCH", problem("message_already_edited"));
  }
  if (source?.is_archived) throw badRequest("channel_archived", { channel: source.name });
  const edit: AllowedEdit = { row };
  if (input.content !== undefined) {
    const content = input.content === "" ? DELETED_TEXT : input.content;
    assertTextEditable(reader, viewer, row, now);
    const to = source ? { channel: source, topic: row.topic } : { userIds: membersOf(row.conversation_key ?? "") };
    if (content !== row.content) edit.text = { content, to };
  }
  const move = source && moves ? allowedMove(reader, { viewer, row, visibility, source, input, now }) : undefined;
  if (move) edit.move = move;
  else if (input.content === undefined) throw nothingToChange();
  if (edit.text && source && move?.topic !== undefined) edit.text.to = { channel: source, topic: move.topic };
  return edit;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const nothingToChange = () => badRequest("no_message_changes");

/** True also for a message that was sent while the clock was ahead. Null means no limit. */
const isOlderThan = (row: MessageRow, seconds: number | null, now: number): boolean =>
  seconds !== null && msSince(row.sent_at, now) > seconds * 1000;

function assertTextEditable(reader: Reader, viewer: User, row: MessageRow, now: number): void {
  if (row.sender_id !== viewer.id) throw badRequest("edit_own_messages_only");
  if (!organizationSetting(reader, "allow_message_editing")) throw badRequest("editing_disabled");
  if (isOlderThan(row, organizationSetting(reader, "message_content_edit_limit_seconds"), now))
    throw badRequest("edit_time_limit_passed");
  if (widgetOf(row)) throw badRequest("widget_not_editable");
}

/** A message whose text the viewer can edit, and its destination. */
export function messageToEdit(
  reader: Reader,
  viewer: User,
  id: number,
  now: number,
): { row: MessageRow; to: Destination } {
  const { row } = messageToRead(reader, viewer, id);
  const channel = row.channel_id === null ? undefined : channelById(reader, row.channel_id);
  if (channel?.is_archived) throw badRequest("channel_archived", { channel: channel.name });
  assertTextEditable(reader, viewer, row, now);
  return { row, to: channel ? { channel, topic: row.topic } : { userIds: membersOf(row.conversation_key ?? "") } };
}

interface MoveInput {
  viewer: User;
  row: MessageRow;
  visibility: MessageVisibility;
  source: Channel;
  input: MessagePatch;
  now: number;
}

/** A move is atomic and blocks one turn of the event loop. */
export const MAX_MOVED = 20_000;
/** Messages times subscribers: a move marks each message as read for each subscriber. */
const MAX_MARKED = 2_000_000;

/** Returns undefined if nothing changes. */
function allowedMove(reader: Reader, call: MoveInput): AllowedEdit["move"] {
  const { viewer, row, source, input } = call;
  const target = input.channelId === undefined ? source : channelToMoveTo(reader, viewer, source, input.channelId);
  const topic = input.topic === undefined ? row.topic : validTopic(input.topic);
  const [otherChannel, otherTopic] = [target.id !== source.id, topic !== row.topic];
  if (!otherChannel && !otherTopic) return undefined;
  const toggles = topic.startsWith(RESOLVED) !== row.topic.startsWith(RESOLVED);
  const renames = withoutResolved(topic) !== withoutResolved(row.topic);
  if (otherTopic && topic !== "" && topicFromInput(withoutResolved(`${topic} `)) === "")
    throw badRequest("empty_topic_not_resolvable");
  if (otherChannel && !mayMoveOut(reader, viewer, source)) throw badRequest("move_between_channels_not_permitted");
  if (renames && !mayMoveWithin(reader, viewer, source, target)) throw badRequest("move_between_topics_not_permitted");
  if (toggles && !mayResolve(reader, viewer, source, target)) throw badRequest("resolve_topics_not_permitted");
  allowedTopic(reader, target, topic);
  const ids = messagesToMove(reader, call);
  assertMoveInTime(reader, call, { ids, otherChannel, renames });
  if (ids.length > MAX_MOVED) throw badRequest("too_many_messages_to_move", { count: ids.length, max: MAX_MOVED });
  if (otherChannel && ids.length * subscribersOf(reader, source.id).ids.length > MAX_MARKED)
    throw badRequest("move_too_large");
  return { ids, ...(otherChannel ? { channel: target } : {}), ...(otherTopic ? { topic } : {}) };
}

/** Hidden and missing channels get the same error. */
function channelToMoveTo(reader: Reader, viewer: User, source: Channel, id: number): Channel {
  if (id === source.id) return source;
  const channel = channelById(reader, id);
  if (!channel || !canSeeChannel(reader, viewer, channel)) throw badRequest("channel_not_found");
  return channelToPostIn(reader, viewer, id);
}

const mayMoveOut = (reader: Reader, viewer: User, source: Channel): boolean =>
  isPermitted(reader, viewer, "can_move_messages_between_channels_group") ||
  isInGroup(reader, viewer, source.can_move_messages_out_of_channel_group) ||
  administers(reader, viewer, source);

const mayMoveWithin = (reader: Reader, viewer: User, source: Channel, target: Channel): boolean =>
  isPermitted(reader, viewer, "can_move_messages_between_topics_group") ||
  [source, target].some(
    (channel) =>
      isInGroup(reader, viewer, channel.can_move_messages_within_channel_group) || administers(reader, viewer, channel),
  );

const mayResolve = (reader: Reader, viewer: User, source: Channel, target: Channel): boolean =>
  isPermitted(reader, viewer, "can_resolve_topics_group") ||
  [source, target].some((channel) => isInGroup(reader, viewer, channel.can_resolve_topics_group));

/** Messages that the viewer cannot read do not move. */
function messagesToMove(reader: Reader, { row, visibility, source, input }: MoveInput): number[] {
  if (input.propagateMode === "change_one") return [row.id];
  const topic = topicId(reader, source.id, row.topic) ?? 0;
  const first = input.propagateMode === "change_later" ? row.id : 0;
  return messagesInTopicFrom(reader, topic, first).filter((id) => visibility.sees(id));
}

/** Time limits do not apply to moderators and above, or to resolving topics. */
function assertMoveInTime(
  reader: Reader,
  { viewer, row, source, input, now }: MoveInput,
  { ids, otherChannel, renames }: { ids: readonly number[]; otherChannel: boolean; renames: boolean },
): void {
  if (viewer.role <= ROLES.moderator) return;
  const limits = [
    otherChannel ? organizationSetting(reader, "move_messages_between_streams_limit_seconds") : null,
    renames ? organizationSetting(reader, "move_messages_within_stream_limit_seconds") : null,
  ].filter((seconds) => seconds !== null);
  if (limits.length === 0) return;
  const seconds = Math.min(...limits);
  if (isOlderThan(row, seconds, now)) throw badRequest("move_time_limit_passed");
  if (input.propagateMode !== "change_all") return;
  // IDs ascend with the send time. The named message is within the limit (see above), so it counts if the query finds
  // none.
  const topic = topicId(reader, source.id, row.topic) ?? 0;
  const young = firstInTopicSince(reader, topic, now - seconds * 1000);
  const first = ids.find((id) => id >= (young ?? row.id)) as number;
  const allowed = ids.length - ids.indexOf(first);
  if (allowed === ids.length) return;
  throw new ApiError(
    "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
    problem("move_time_limit_partial", { count: allowed, total: ids.length }),
    {
      first_message_id_allowed_to_move: first,
      total_messages_in_topic: ids.length,
      total_messages_allowed_to_move: allowed,
    },
  );
}

export function messageToDelete(reader: Reader, viewer: User, id: number, now: number): MessageRow {
  const { row } = messageToRead(reader, viewer, id);
  const channel = row.channel_id === null ? undefined : channelById(reader, row.channel_id);
  const may = (name: "can_delete_any_message_group" | "can_delete_own_message_group"): boolean =>
    isPermitted(reader, viewer, name) || (channel !== undefined && isInGroup(reader, viewer, channel[name]));
  if (may("can_delete_any_message_group")) return row;
  const sender = userById(reader, row.sender_id);
  const isOwn = row.sender_id === viewer.id || (sender?.is_bot === true && sender.bot_owner_id === viewer.id);
  if (!isOwn || !may("can_delete_own_message_group")) throw badRequest("delete_message_not_permitted");
  if (isOlderThan(row, organizationSetting(reader, "message_content_delete_limit_seconds"), now))
    throw badRequest("delete_time_limit_passed");
  return row;
}

export function messageWithHistory(reader: Reader, viewer: User, id: number): MessageRow {
  const { row } = messageToRead(reader, viewer, id);
  if (organizationSetting(reader, "message_edit_history_visibility_policy") === "none")
    throw badRequest("edit_history_disabled");
  return row;
}
