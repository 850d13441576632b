import { badRequest } from "../../errors.ts";
import type { EventShapes, Transaction } from "../../storage/transaction.ts";
import { channelFolderOnWire, type WireChannelFolder } from "../presenters/channel-folders.ts";
import { type ChannelFolder, channelFolderById, channelFolders, holdsChannels } from "../queries/channel-folders.ts";
import { channelNameKey } from "../queries/channels.ts";
import { activeUserIds, type User } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { renderDescription } from "./rendering.ts";
import { insertRow } from "./rows.ts";

/** Everyone can see folders, including guests and bots. */
const announce = (tx: Transaction, event: EventShapes["channel_folder"]) =>
  tx.emit(event, { users: activeUserIds(tx) });

const target = (id: number) => `channel folder ${id}` as const;

/** A null actor is the server. */
export function createChannelFolder(
  tx: Transaction,
  actor: User | null,
  { name, description }: { name: string; description: string },
): number {
  const id = insertRow(tx, "channel_folders", {
    name,
    name_key: channelNameKey(name),
    description,
    rendered_description: renderDescription(tx, description),
    creator_id: actor?.id ?? null,
    created_at: tx.now,
  });
  const channel_folder = channelFolderOnWire(channelFolderById(tx, id) as ChannelFolder);
  announce(tx, { type: "channel_folder", op: "add", channel_folder });
  recordAudit(tx, actor, { action: "create channel folder", target: target(id), after: { name, description } });
  return id;
}

/** Each changed property has its own event and audit entry. */
export function changeChannelFolder(
  tx: Transaction,
  actor: User,
  before: ChannelFolder,
  after: Pick<ChannelFolder, "name" | "description" | "is_archived">,
): void {
  const { id } = before;
  const { name, description, is_archived } = after;
  const update = (data: Partial<WireChannelFolder>) =>
    announce(tx, { type: "channel_folder", op: "update", channel_folder_id: id, data });
  if (is_archived && !before.is_archived && holdsChannels(tx, id)) throw badRequest("channel_folder_not_empty");
  // Names of active folders are unique, so name and archived state must change in one statement.
  if (name !== before.name || is_archived !== before.is_archived) {
    tx.run(
      "UPDATE channel_folders SET name = ?, name_key = ?, is_archived = ? WHERE id = ?",
      name,
      channelNameKey(name),
      Number(is_archived),
      id,
    );
  }
  if (name !== before.name) {
    update({ name });
    const change = { before: { name: before.name }, after: { name } };
    recordAudit(tx, actor, { action: "rename channel folder", target: target(id), ...change });
  }
  if (description !== before.description) {
    const rendered_description = renderDescription(tx, description);
    tx.run(
      "UPDATE channel_folders SET description = ?, rendered_description = ? WHERE id = ?",
      description,
      rendered_description,
      id,
    );
    update({ description, rendered_description });
    const change = { before: { description: before.description }, after: { description } };
    recordAudit(tx, actor, { action: "describe channel folder", target: target(id), ...change });
  }
  if (is_archived !== before.is_archived) {
    update({ is_archived });
    const action = is_archived ? "archive channel folder" : "restore channel folder";
    const change = { before: { is_archived: before.is_archived }, after: { is_archived } };
    recordAudit(tx, actor, { action, target: target(id), ...change });
  }
}

/** `order`: all folder IDs. */
export function reorderChannelFolders(tx: Transaction, actor: User, order: readonly number[]): void {
  const before = channelFolders(tx).map(({ id }) => id);
  if (before.join() === order.join()) return;
  tx.run(
    `UPDATE channel_folders SET position = (SELECT key FROM json_each(?) WHERE value = channel_folders.id)`,
    JSON.stringify(order),
  );
  announce(tx, { type: "channel_folder", op: "reorder", order: [...order] });
  recordAudit(tx, actor, { action: "reorder channel folders", target: "channel folders", before, after: order });
}
