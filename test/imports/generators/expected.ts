import type {
  ImportedChannel,
  ImportedConversation,
  ImportedEmoji,
  ImportedMessage,
  ImportedPerson,
  LeftOutKind,
} from "../../../server/imports/model.ts";
import type { Channel, Markup, Message, Person, RandomModel } from "../random-model.ts";
import { MARKDOWN, written } from "../random-model.ts";

/** The part of a model that an export of a format carries, as its reader must find it. */
export interface Expected {
  people: ImportedPerson[];
  channels: ImportedChannel[];
  conversations: ImportedConversation[];
  emoji: ImportedEmoji[];
  /** Oldest first. */
  messages(): Iterable<ImportedMessage>;
  leftOut: Partial<Record<LeftOutKind, number>>;
}

/** IDs of a format for the numbers of a model. */
export interface Ids {
  person(number: number): string;
  channel(number: number): string;
  conversation(number: number): string;
  message(message: Message): string;
}

export const placeOf = ({ place }: Message, ids: Ids): string =>
  "channel" in place ? ids.channel(place.channel) : ids.conversation(place.conversation);

export const membersOf = ({ place }: Message, model: RandomModel): readonly number[] =>
  ("channel" in place ? model.channels[place.channel] : model.conversations[place.conversation])?.members ?? [];

export const personIn = (
  { number, name, username, email, role, isBot, isActive }: Person,
  ids: Ids,
): ImportedPerson => ({
  id: ids.person(number),
  name,
  username,
  email,
  role,
  isBot,
  isActive,
});

export const channelIn = (channel: Channel, ids: Ids): ImportedChannel => {
  const { name, description, isPrivate, isArchived, isDefault, isReadOnly, createdAt } = channel;
  return {
    ...{ id: ids.channel(channel.number), name, description, isPrivate, isArchived, isDefault, isReadOnly, createdAt },
    creatorId: ids.person(channel.creator),
    memberIds: channel.members.map(ids.person),
  };
};

export const conversationsIn = ({ conversations }: RandomModel, ids: Ids): ImportedConversation[] =>
  conversations.map(({ number, members }) => ({ id: ids.conversation(number), memberIds: members.map(ids.person) }));

/**
 * All of a message but its files, whose sources differ, and its thread or topic. `more`: parts of texts that the format
 * does not have.
 */
export const messageIn = (message: Message, ids: Ids, more: Partial<Markup> = {}): ImportedMessage => ({
  id: ids.message(message),
  place: placeOf(message, ids),
  senderId: ids.person(message.sender),
  sentAt: message.sentAt,
  editedAt: message.editedAt,
  text: written(message.blocks, {
    ...MARKDOWN,
    person: (number) => ({ person: ids.person(number) }),
    everyone: { everyone: true },
    channel: (number) => ({ channel: ids.channel(number) }),
    ...more,
  }),
  files: [],
  reactions: message.reactions.map(({ emoji, people }) => ({
    emoji: "custom" in emoji ? { name: emoji.custom } : { character: emoji.character },
    personIds: people.map(ids.person),
  })),
  pinnedBy: message.pinnedBy === undefined ? undefined : [ids.person(message.pinnedBy)],
  starredBy: message.starredBy.map(ids.person),
});

/** A number as the end of an ID. */
export const padded = (number: number, length = 8): string => String(number).padStart(length, "0");

/** Messages of the model in the format. */
export function* messagesOf(
  model: RandomModel,
  convert: (message: Message) => ImportedMessage,
): Generator<ImportedMessage> {
  for (const message of model.all()) yield convert(message);
}
