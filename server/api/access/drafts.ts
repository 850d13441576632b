import { badRequest, notFound, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { channelById } from "../queries/channels.ts";
import { draftOf, type StoredDraft, syncsDrafts } from "../queries/drafts.ts";
import { MAX_MESSAGE_LENGTH } from "../queries/messages.ts";
import { type User, userById } from "../queries/users.ts";
import { canSeeChannel } from "./channels.ts";
import { validTopic } from "./destinations.ts";
import { canSeeUser } from "./people.ts";
import { LAST_TIME } from "./scheduled-messages.ts";

/** A draft before it has an ID. */
export interface Draft {
  type: StoredDraft["type"];
  to: number[];
  topic: string;
  content: string;
  /** Milliseconds since the epoch, rounded to seconds; undefined: now. */
  editedAt: number | undefined;
}

/** Throws if the viewer keeps drafts only on their devices. */
export function userWhoSyncsDrafts(reader: Reader, viewer: User): User {
  if (!syncsDrafts(reader, viewer)) {
    throw badRequest("drafts_sync_disabled");
  }
  return viewer;
}

export function draftToChange(reader: Reader, viewer: User, id: number): StoredDraft {
  const draft = draftOf(reader, userWhoSyncsDrafts(reader, viewer), id);
  if (!draft) throw notFound("draft_not_found");
  return draft;
}

/** `content`: normalized by `messageText`. */
export function validDraft(
  reader: Reader,
  viewer: User,
  input: {
    type: StoredDraft["type"];
    to: readonly number[];
    topic: string;
    content: string;
    timestamp?: number | undefined;
  },
): Draft {
  const { type, content, timestamp } = input;
  if (content === "") throw badRequest("draft_empty");
  const { length } = [...content];
  if (length > MAX_MESSAGE_LENGTH)
    throw refusedParameter("content", "draft_too_long", { count: MAX_MESSAGE_LENGTH, length });
  if (timestamp !== undefined && !(timestamp >= 0 && timestamp <= LAST_TIME))
    throw refusedParameter("timestamp", "draft_timestamp_invalid", { max: LAST_TIME });
  // Clients read whole seconds. Rounding keeps the sort order of server and clients the same.
  const editedAt = timestamp === undefined ? undefined : Math.floor(timestamp) * 1000;
  const topic = type === "stream" ? validTopic(input.topic) : "";
  return { type, to: validRecipients(reader, viewer, type, input.to), topic, content, editedAt };
}

function validRecipients(reader: Reader, viewer: User, type: StoredDraft["type"], to: readonly number[]): number[] {
  if (type === "") return [];
  const ids = [...new Set(to)];
  if (type === "private") {
    for (const id of ids) {
      const user = userById(reader, id);
      if (!user || !canSeeUser(reader, viewer, user)) throw badRequest("invalid_user_id", { id });
    }
    return ids;
  }
  const [id, ...more] = ids;
  if (id === undefined || more.length > 0) throw badRequest("draft_one_channel_required");
  const channel = channelById(reader, id);
  if (!channel || !canSeeChannel(reader, viewer, channel)) throw badRequest("channel_id_not_found", { id });
  return ids;
}
