import { removeSlice, startRemoval } from "../../server/api/actions/import-removal.ts";
import {
  finishChannel,
  finishImport,
  importChannel,
  importConversation,
  importMessages,
  importPeople,
  startImport,
} from "../../server/api/actions/imports.ts";
import type { NewImportedMessage } from "../../server/imports/target.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import type { Chat } from "./chat.ts";

export const YEAR_2019 = Date.UTC(2019, 3, 1);
const PERSON = { email: undefined, role: "member", isBot: false, timezone: "", joinedAt: YEAR_2019 } as const;
const CHANNEL = {
  sourceId: "C1",
  name: "rowing",
  suffix: "Slack",
  description: "Boats",
  folder: undefined,
  isPrivate: false,
  isReadOnly: false,
};

const text = (
  senderId: number,
  content: string,
  to: NewImportedMessage["to"],
  more: Partial<NewImportedMessage> = {},
) => ({
  senderId,
  to,
  content,
  html: `<p>${content}</p>`,
  holds: 0,
  links: [],
  sentAt: YEAR_2019,
  editedAt: null,
  mentionedIds: [],
  awaitsPictures: [],
  starredBy: [],
  reactions: [],
  ...more,
});

const BY_SERVER = { actor: null, action: "test" };

export interface Imported {
  id: number;
  channelId: number;
  stubId: number;
}

/** Hamlet has an account, and Yorick has none. They wrote three messages in a channel and one directly. */
export const importSmall = (chat: Chat, options: { isReadOnly?: boolean } = {}): Imported =>
  chat.server.app.store.transact(BY_SERVER, (tx) => writeSmallImport(tx, options));

export function writeSmallImport(tx: Transaction, { isReadOnly = false } = {}): Imported {
  const people = [
    { ...PERSON, sourceId: "U1", name: "Hamlet (old)", email: "hamlet@example.com" },
    { ...PERSON, sourceId: "U2", name: "Yorick", email: "yorick@example.com" },
  ];
  const id = startImport(tx, null, { format: "slack", name: "export.zip", counts: {} });
  const [hamlet = 0, yorick = 0] = importPeople(tx, id, people).map((person) => person.id);
  const channel = importChannel(tx, id, { ...CHANNEL, isReadOnly, memberIds: [hamlet, yorick] });
  const to = { channelId: channel.id, recipientId: channel.recipient_id, topic: "Alas" };
  const direct = { recipientId: importConversation(tx, id, [hamlet, yorick]) };
  const reactions = [
    { userId: hamlet, emoji_name: "smile", emoji_code: "1f604", reaction_type: "unicode_emoji" as const },
  ];
  const ownReaction = { ...reactions[0], userId: yorick } as (typeof reactions)[number];
  const messages = [
    text(yorick, "a fellow of infinite jest", to, { mentionedIds: [hamlet], reactions: [...reactions, ownReaction] }),
    text(hamlet, "I knew him", to, { starredBy: [hamlet, yorick], editedAt: YEAR_2019 + 5000 }),
    text(yorick, "where be your gibes now", to),
    text(yorick, "direct", direct),
  ];
  importMessages(tx, id, { client: "Slack", messages, slot: "9000", files: [] });
  finishChannel(tx, id, { channelId: channel.id, memberIds: [hamlet, yorick], isArchived: false });
  finishImport(tx, null, id, {});
  return { id, channelId: channel.id, stubId: yorick };
}

export function removeImport(chat: Chat, id: number): void {
  chat.server.app.store.transact(BY_SERVER, (tx) => startRemoval(tx, null, id));
  for (let isDone = false; !isDone; )
    ({ isDone } = chat.server.app.store.transact(BY_SERVER, (tx) => removeSlice(tx, id)));
}
