import type { ImageFormat, ImageInfo } from "../media/images/tasks.ts";
import type { Role } from "./model.ts";

/** The things that an import writes into Hearth. IDs of people, channels and messages are Hearth's. */

export interface NewPerson {
  sourceId: string;
  name: string;
  email: string | undefined;
  role: Role;
  isBot: boolean;
  /** An IANA name, or "". */
  timezone: string;
  /** Milliseconds since the epoch. */
  joinedAt: number;
}

export interface NewImportedChannel {
  sourceId: string;
  name: string;
  /** Added to a name that another channel has. */
  suffix: string;
  description: string;
  isPrivate: boolean;
  isReadOnly: boolean;
  folder: string | undefined;
  memberIds: readonly number[];
}

export interface NewReaction {
  userId: number;
  emoji_name: string;
  emoji_code: string;
  reaction_type: "unicode_emoji" | "realm_emoji" | "service_extra_emoji";
}

export interface ChannelDestination {
  channelId: number;
  recipientId: number;
  topic: string;
}
export type Destination = ChannelDestination | { recipientId: number };

export interface RenderedText {
  content: string;
  html: string;
  /** Bits of HOLDS (api/queries/messages.ts). */
  holds: number;
  /** Targets of links. */
  links: readonly string[];
  mentionedIds: readonly number[];
  /** Paths of pictures that have placeholders. */
  awaitsPictures: readonly string[];
}

export interface NewImportedMessage extends RenderedText {
  senderId: number;
  to: Destination;
  /** Milliseconds since the epoch. */
  sentAt: number;
  editedAt: number | null;
  starredBy: readonly number[];
  reactions: readonly NewReaction[];
}

/** A file on disk, flushed, without a name yet: `TemporaryFile` of media/files. */
export interface ContentOnDisk {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly head: Uint8Array;
  readonly isUtf8: boolean;
}

/** A picture as `NewPicture` of api/actions/pictures.ts. */
export interface MeasuredPicture {
  format: ImageFormat;
  info: ImageInfo;
}

/** A file of a message of the same slice. */
export interface NewImportedFile {
  contentType: string;
  /** Undefined: the file is not a picture, or is damaged. */
  picture: MeasuredPicture | undefined;
  content: ContentOnDisk;
  /** Identifies the file in its URL. */
  token: string;
  name: string;
  ownerId: number;
  createdAt: number;
}

/**
 * Messages that are written together. A link to another message of the slice has `slot` and the position of that
 * message instead of its ID.
 */
export interface Slice {
  messages: readonly NewImportedMessage[];
  files: readonly NewImportedFile[];
  /** Digits that occur nowhere else. */
  slot: string;
}

/** `slot` and the position of a message in its slice. */
export const slotFor = (slot: string, position: number): string => slot + String(position).padStart(4, "0");

/** Replaces positions by IDs. `first`: the ID of the slice's first message. */
export const withIds = (text: string, slot: string, first: number): string =>
  text.includes(slot)
    ? text.replace(new RegExp(`${slot}(\\d{4})`, "g"), (_, position: string) => String(first + Number(position)))
    : text;

export interface ImportedEmojiResult {
  name: string;
  id: number;
  url: string;
}

/** Writes an import. Each call is durable when it resolves, and other requests run between its transactions. */
export interface ImportTarget {
  people(people: readonly NewPerson[]): Promise<{ sourceId: string; id: number; name: string; isNew: boolean }[]>;
  /** The size of a picture. Undefined: it cannot be read. */
  measure(path: string): Promise<ImageInfo | undefined>;
  avatar(userId: number, picture: ContentOnDisk): Promise<void>;
  /** Undefined: the picture cannot be read, or the name is invalid. */
  emoji(name: string, picture: ContentOnDisk): Promise<ImportedEmojiResult | undefined>;
  channel(channel: NewImportedChannel): Promise<{ id: number; recipientId: number; name: string }>;
  /** Returns recipient IDs. */
  conversations(members: readonly (readonly number[])[]): Promise<number[]>;
  /** Returns the ID of the first message. The others follow. */
  messages(slice: Slice): Promise<number>;
  /** Replaces the texts of messages. */
  texts(texts: readonly ({ id: number } & RenderedText)[]): Promise<void>;
  finishChannel(channelId: number, options: { memberIds: readonly number[]; isArchived: boolean }): Promise<void>;
}
