import type { NewFile, StoredFile } from "../../media/files/stored-files.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { usersWhoCanSee } from "../access/people.ts";
import { avatarSource, userPicture } from "../presenters/pictures.ts";
import { avatarAt } from "../queries/pictures.ts";
import { type User, userById } from "../queries/users.ts";
import { recordAudit } from "./audit.ts";
import { announceBot } from "./bot-events.ts";
import { deleteFile, recordFile } from "./files.ts";
import { insertRow } from "./rows.ts";

export interface AvatarFiles {
  small: NewFile;
  medium: NewFile;
}

/**
 * Sets an uploaded picture; null restores the generated one. Returns the changed user, and files to remove after the
 * transaction.
 */
export function setAvatar(
  tx: Transaction,
  actor: User,
  user: User,
  picture: AvatarFiles | null,
): { user: User; replaced: Pick<StoredFile, "kind" | "name">[] } {
  if (picture === null && user.avatar === null) return { user, replaced: [] };
  const placed = placeAvatar(tx, user, picture);
  recordAudit(tx, actor, {
    action: "change avatar",
    target: `user ${user.id}`,
    before: { is_uploaded: user.avatar !== null },
    after: { is_uploaded: picture !== null },
  });
  return placed;
}

/** As `setAvatar`, without an entry in the audit. */
export function placeAvatar(
  tx: Transaction,
  user: User,
  picture: AvatarFiles | null,
): { user: User; replaced: Pick<StoredFile, "kind" | "name">[] } {
  if (picture) {
    recordFile(tx, picture.small);
    recordFile(tx, picture.medium);
    insertRow(tx, "avatars", { token: picture.small.name, user_id: user.id, medium: picture.medium.name });
  }
  tx.run(
    "UPDATE users SET avatar = ?, avatar_version = avatar_version + 1 WHERE id = ?",
    picture?.small.name ?? null,
    user.id,
  );
  const replaced = user.avatar === null ? [] : dropFiles(tx, user.avatar);
  const changed = userById(tx, user.id) as User;
  announceAvatar(tx, changed);
  return { user: changed, replaced };
}

/** Keeps the row, so that old URLs redirect to the current picture. */
function dropFiles(tx: Transaction, token: string): Pick<StoredFile, "kind" | "name">[] {
  const { medium } = avatarAt(tx, token) ?? {};
  tx.run("UPDATE avatars SET medium = NULL WHERE token = ?", token);
  const files = [token, medium].flatMap((name) => (name ? [{ kind: "avatars" as const, name }] : []));
  for (const file of files) deleteFile(tx, file);
  return files;
}

function announceAvatar(tx: Transaction, user: User): void {
  const avatar_url = userPicture(user);
  tx.emit(
    {
      type: "realm_user",
      op: "update",
      person: {
        user_id: user.id,
        avatar_url,
        avatar_source: avatarSource(user),
        avatar_url_medium: userPicture(user, "medium"),
        avatar_version: user.avatar_version,
      },
    },
    { users: usersWhoCanSee(tx, user) },
  );
  if (user.is_bot) announceBot(tx, user, { avatar_url });
}
