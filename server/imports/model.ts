import type { Readable } from "node:stream";

/**
 * An export of another chat in neutral form. Readers (`formats/`) produce it, in any order of messages. IDs are those of
 * the source, and are unique within their kind. Times are in milliseconds since the epoch.
 */

export const ROLES = ["owner", "administrator", "moderator", "member", "guest"] as const;
export type Role = (typeof ROLES)[number];

/**
 * A file of the export. `url`: the source serves it to owners of a token. `gridfs`: a database
 * contains it in pieces.
 */
export type FileSource =
  | { readonly path: string }
  | { readonly url: string }
  | { readonly gridfs: { readonly bucket: string; readonly id: string } }
  | "missing";

export interface ImportedPerson {
  id: string;
  name: string;
  /** The source's short name, which mentions and links can use. */
  username?: string | undefined;
  email?: string | undefined;
  role: Role;
  isBot: boolean;
  /** Whether the person could sign in at the source. */
  isActive: boolean;
  /** An IANA name. */
  timezone?: string | undefined;
  joinedAt?: number | undefined;
  picture?: FileSource | undefined;
}

export interface ImportedChannel {
  id: string;
  name: string;
  description: string;
  isPrivate: boolean;
  isArchived: boolean;
  /** Whether new people join it at the source. */
  isDefault: boolean;
  /** Whether only some people can write, such as in an announcement channel. */
  isReadOnly: boolean;
  /** The source's group of channels, such as a team or a category. */
  folder?: string | undefined;
  createdAt?: number | undefined;
  creatorId?: string | undefined;
  memberIds: readonly string[];
}

/** Direct messages between people. A conversation can have one person. */
export interface ImportedConversation {
  id: string;
  memberIds: readonly string[];
}

export interface ImportedEmoji {
  /** Without colons. */
  name: string;
  picture: FileSource;
  /** Existing reactions and messages show it, but new ones cannot use it. */
  isDeactivated?: boolean | undefined;
}

/** A mention or link whose text depends on the import's choices. */
export type Reference =
  /** `silent`: a mention that notifies no one, such as the author of a quote. */
  | { readonly person: string; readonly silent?: true }
  /** A link to the channel, or to its `topic`. */
  | { readonly channel: string; readonly topic?: string }
  /** A group of people: by name, since groups are not imported. */
  | { readonly group: string; readonly silent?: true }
  | { readonly everyone: true; readonly silent?: true }
  /** A link to one of the message's `files`, by ID. Files without a reference are shown below the text. */
  | { readonly file: string; readonly label?: string }
  /** A link to another message. `label`: Markdown for its text, if the source has one. */
  | { readonly message: string; readonly place: string; readonly label?: string };

/** Hearth's Markdown, in parts. References are at the positions that they have in the source. */
export type Text = readonly (string | Reference)[];

export interface ImportedFile {
  id: string;
  name: string;
  /** Size in bytes according to the source. */
  size?: number | undefined;
  source: FileSource;
}

export interface ImportedReaction {
  /** A Unicode emoji, or the name of a custom emoji (or of Hearth's additional `zulip` and `hearth`) without colons. */
  emoji: { readonly character: string } | { readonly name: string };
  personIds: readonly string[];
}

export interface ImportedMessage {
  /** Unique within its place. */
  id: string;
  /** The channel or conversation. */
  place: string;
  /** In a thread: the ID of its first message, which has the same value. Only in channels. */
  threadId?: string | undefined;
  /** The topic, if the source names it. */
  topic?: string | undefined;
  senderId: string;
  sentAt: number;
  editedAt?: number | undefined;
  text: Text;
  files: readonly ImportedFile[];
  reactions: readonly ImportedReaction[];
  /** Undefined: not pinned. Empty: pinned by an unknown person. */
  pinnedBy?: readonly string[] | undefined;
  starredBy: readonly string[];
}

/** The kinds of things that an import leaves out, with their counts for the preview. */
export const LEFT_OUT = [
  "notices", // joins, leaves, renamed channels and other notices of the source
  "deleted messages",
  "earlier versions", // of edited messages
  "encrypted messages",
  "empty messages",
  "conversations of visitors", // of a web page's contact form
  "reactions of unknown emoji",
  "reactions of unknown people",
  "buttons and forms",
  "link previews",
  "canvases", // documents that belong to no conversation
  "unreadable records",
] as const;
export type LeftOutKind = (typeof LEFT_OUT)[number];

/** Counts of things that a reader left out. */
export class LeftOut {
  readonly #counts = new Map<LeftOutKind, number>();

  add(kind: LeftOutKind, count = 1): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  toJSON(): Partial<Record<LeftOutKind, number>> {
    return Object.fromEntries(this.#counts);
  }
}

/** Reads one format. Methods stream, and can be called again. */
export interface ExportReader {
  readonly people: () => AsyncIterable<ImportedPerson>;
  readonly channels: () => AsyncIterable<ImportedChannel>;
  readonly conversations: () => AsyncIterable<ImportedConversation>;
  readonly emoji: () => AsyncIterable<ImportedEmoji>;
  /** `leftOut` counts messages and parts of messages that are left out. */
  readonly messages: (leftOut: LeftOut) => AsyncIterable<ImportedMessage>;
  /** @throws NotAnExport if the export does not contain the file. */
  readonly openFile: (source: FileSource) => Promise<Readable>;
}

export const FORMATS = ["slack", "mattermost", "rocketchat", "discord", "teams", "zulip", "hearth"] as const;
export type Format = (typeof FORMATS)[number];

export const FORMAT_NAMES: Record<Format, string> = {
  slack: "Slack",
  mattermost: "Mattermost",
  rocketchat: "Rocket.Chat",
  discord: "Discord",
  teams: "Microsoft Teams",
  zulip: "Zulip",
  hearth: "Hearth",
};
