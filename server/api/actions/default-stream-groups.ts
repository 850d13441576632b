import type { Transaction } from "../../storage/transaction.ts";
import type { Channel } from "../queries/channels.ts";
import {
  type DefaultStreamGroup,
  defaultStreamGroupById,
  defaultStreamGroupKey,
  defaultStreamGroups,
  defaultStreamGroupsWith,
} from "../queries/default-stream-groups.ts";
import { activeUserIds, ROLES, type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { insertRow } from "./rows.ts";

function announce(tx: Transaction): void {
  const users = activeUserIds(tx).filter((id) => userById(tx, id)?.role !== ROLES.guest);
  tx.emit({ type: "default_stream_groups", default_stream_groups: defaultStreamGroups(tx) }, { users });
}

const target = (id: number) => `default channel group ${id}` as const;
const groupById = (tx: Transaction, id: number) => defaultStreamGroupById(tx, id) as DefaultStreamGroup;

function addRows(tx: Transaction, groupId: number, channels: readonly Channel[]): void {
  for (const { id } of channels) insertRow(tx, "default_stream_group_channels", { group_id: groupId, channel_id: id });
}

const removeRow = (tx: Transaction, groupId: number, channelId: number) =>
  tx.run("DELETE FROM default_stream_group_channels WHERE group_id = ? AND channel_id = ?", groupId, channelId);

export function createDefaultStreamGroup(
  tx: Transaction,
  actor: User,
  { name, description, channels }: { name: string; description: string; channels: readonly Channel[] },
): void {
  const id = insertRow(tx, "default_stream_groups", { name, name_key: defaultStreamGroupKey(name), description });
  addRows(tx, id, channels);
  announce(tx);
  const { streams } = groupById(tx, id);
  const after = { name, description, streams };
  recordAudit(tx, actor, { action: "create default channel group", target: target(id), after });
}

export function changeDefaultStreamGroup(
  tx: Transaction,
  actor: User,
  { id, name, description }: DefaultStreamGroup,
  after: { name: string; description: string },
): void {
  if (after.name === name && after.description === description) return;
  tx.run(
    "UPDATE default_stream_groups SET name = ?, name_key = ?, description = ? WHERE id = ?",
    after.name,
    defaultStreamGroupKey(after.name),
    after.description,
    id,
  );
  announce(tx);
  const before = { name, description };
  recordAudit(tx, actor, { action: "change default channel group", target: target(id), before, after });
}

/** Channels to add must not be in the group; channels to remove must be. */
export function changeChannelsOfGroup(
  tx: Transaction,
  actor: User | null,
  { id, streams: before }: DefaultStreamGroup,
  { op, channels }: { op: "add" | "remove"; channels: readonly Channel[] },
): void {
  if (channels.length === 0) return;
  if (op === "add") addRows(tx, id, channels);
  else for (const channel of channels) removeRow(tx, id, channel.id);
  announce(tx);
  const { streams: after } = groupById(tx, id);
  recordAudit(tx, actor, { action: "change channels of default channel group", target: target(id), before, after });
}

/** Call it when a channel is archived, becomes private or becomes a default channel. */
export function removeFromDefaultStreamGroups(tx: Transaction, actor: User | null, channel: Channel): void {
  for (const id of defaultStreamGroupsWith(tx, channel.id)) {
    changeChannelsOfGroup(tx, actor, groupById(tx, id), { op: "remove", channels: [channel] });
  }
}

export function deleteDefaultStreamGroup(tx: Transaction, actor: User, group: DefaultStreamGroup): void {
  const { id, ...before } = group;
  tx.run("DELETE FROM default_stream_group_channels WHERE group_id = ?", id);
  tx.run("DELETE FROM default_stream_groups WHERE id = ?", id);
  announce(tx);
  recordAudit(tx, actor, { action: "delete default channel group", target: target(id), before });
}
