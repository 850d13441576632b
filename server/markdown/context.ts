import type { LinkifierBudget, Linkifiers } from "./linkifiers.ts";
import type { MathBudget } from "./math.ts";
import type { NamedChannel, OwnHosts } from "./urls.ts";

export interface NamedPerson {
  readonly id: number;
  readonly name: string;
  /** Mentions do not notify this user, whose account is deactivated. */
  readonly isSilent?: boolean;
}

export interface MentionableGroup {
  readonly id: number;
  /** The displayed name: for a system group its description. */
  readonly name: string;
  /** Whether the sender may mention the group; everyone may mention it silently. */
  readonly mayMention: boolean;
  /** Mentions do not notify this group, which is deactivated. */
  readonly isSilent?: boolean;
}

export interface CustomEmoji {
  /** Its image: a path of this server, or a web URL. */
  readonly url: string;
}

/** An uploaded file that clients show inside the message. */
export type Media = InlinePicture | { kind: "video" } | { kind: "audio" };

export interface InlinePicture {
  kind: "picture";
  contentType: string;
  /** The size of the original in pixels; undefined until it is known. */
  dimensions: { width: number; height: number } | undefined;
  isAnimated: boolean;
  /** The name of the thumbnail's format; undefined until there is a thumbnail. */
  thumbnail: string | undefined;
  /** The name of a full-size copy in a format that browsers support, if the original has another format. */
  transcoded?: string | undefined;
}

/** The things that a sender can refer to. Syntax whose part of the context is missing stays text. */
export interface RenderContext extends OwnHosts {
  /**
   * Users of this name, ignoring case, whom the sender may mention. The lowest ID wins, so
   * that a new user cannot attract the mentions of an older one; `|id` selects another.
   */
  usersByName?(name: string): readonly NamedPerson[];
  userById?(id: number): NamedPerson | undefined;
  groupByName?(name: string): MentionableGroup | undefined;
  /** Whether `@**all**` and its synonyms work here. */
  readonly channelWildcard?: boolean;
  /** Whether `@**topic**` works here. */
  readonly topicWildcard?: boolean;
  /** A channel that the sender can see. */
  channelByName?(name: string): NamedChannel | undefined;
  /** The newest message of a topic that the sender can read: it keeps links to the topic valid after renames. */
  newestInTopic?(channelId: number, topic: string): number | undefined;
  /** The displayed name of the empty topic. */
  readonly emptyTopicName?: string;
  /** Emoji with a picture: the organization's custom emoji, and the additional emoji. */
  customEmoji?(name: string): CustomEmoji | undefined;
  /** The preview of an uploaded file that the sender may see. `path` is the part of its URL after `/user_uploads/`. */
  upload?(path: string): Media | undefined;
  readonly linkifiers?: Linkifiers;
  /** The sender's setting. */
  readonly translateEmoticons?: boolean;
  /** The organization's setting. */
  readonly defaultCodeLanguage?: string;
  /** Returns the alert words that the text contains. */
  alertWords?(text: string): readonly string[];
}

export interface Mentions {
  /** Users mentioned by name, to be notified. */
  readonly userIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly channelWildcard: boolean;
  readonly topicWildcard: boolean;
  /** Mentioned without a notification: silent mentions, and mentions in quotes. */
  readonly silentUserIds: readonly number[];
  readonly silentGroupIds: readonly number[];
  /** Mentioned groups that the sender has no permission to mention: such a message is rejected. */
  readonly refusedGroupIds: readonly number[];
}

/** The state of one rendering, which markdown-it passes to our rules as the environment. */
export interface Rendering {
  readonly context: RenderContext;
  /** Depth of quotes around the current text: mentions in quotes do not notify. */
  quotes: number;
  readonly userIds: Set<number>;
  readonly groupIds: Set<number>;
  readonly silentUserIds: Set<number>;
  readonly silentGroupIds: Set<number>;
  readonly refusedGroupIds: Set<number>;
  channelWildcard: boolean;
  topicWildcard: boolean;
  /** Results of lookups for mentions and channel links, so that each runs once. */
  readonly resolved: Map<string, unknown>;
  readonly math: MathBudget;
  /** How many table cells and emoji the message may still have. Below zero it is shown as plain text. */
  cells: number;
  emoji: number;
  /** The languages of code that is coloured. */
  readonly languages: Set<string>;
  readonly linkifierBudget: LinkifierBudget;
  readonly autolinkBudget: { steps: number };
  /** Targets of links in order, without duplicates. */
  readonly links: Set<string>;
  /** The paths of pictures that have placeholders. */
  readonly awaitedPictures: Set<string>;
  /** The text to search for alert words. */
  words: string;
}
