import {
  finishChannel,
  finishImport,
  importChannel,
  importConversation,
  importMessages,
  startImport,
} from "../../server/api/actions/imports.ts";
import type { Chat } from "./chat.ts";

interface OldMessage {
  /** An ISO 8601 date or time. */
  at: string;
  /** Default: a topic of the imported channel. */
  topic?: string;
  /** A person in a direct conversation with the sender. */
  direct?: string;
}

const CHANNEL = {
  sourceId: "C1",
  name: "history",
  description: "",
  folder: undefined,
  isPrivate: false,
  isReadOnly: false,
  suffix: "Slack",
};

/** Imports messages that Hamlet sent to a new channel or directly. Returns the ids of the messages and the channel. */
export function importHistory(
  chat: Chat,
  messages: readonly OldMessage[],
): { importId: number; channelId: number; ids: number[] } {
  const [hamlet, othello] = ["hamlet", "othello"].map((name) => chat.as(name).id) as [number, number];
  return chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => {
    const importId = startImport(tx, null, { format: "slack", name: "export.zip", counts: {} });
    const memberIds = [hamlet, othello];
    const channel = importChannel(tx, importId, { ...CHANNEL, memberIds });
    const written = messages.map(({ at, topic = "old", direct }) => ({
      senderId: hamlet,
      to: direct
        ? { recipientId: importConversation(tx, importId, [hamlet, chat.as(direct).id]) }
        : { channelId: channel.id, recipientId: channel.recipient_id, topic },
      content: at,
      html: `<p>${at}</p>`,
      holds: 0,
      links: [],
      sentAt: Date.parse(at),
      editedAt: null,
      mentionedIds: [],
      starredBy: [],
      awaitsPictures: [],
      reactions: [],
    }));
    const first = importMessages(tx, importId, { client: "Slack", messages: written, slot: "9000", files: [] });
    finishChannel(tx, importId, { channelId: channel.id, memberIds, isArchived: false });
    finishImport(tx, null, importId, {});
    return { importId, channelId: channel.id, ids: messages.map((_, index) => first + index) };
  });
}
