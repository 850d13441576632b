import type { LinkifierBudget, Linkifiers } from "./linkifiers.ts";
import type { MathBudget } from "./math.ts";
import type { NamedChannel } from "./narrow-links.ts";

export interface NamedPerson {
  readonly id: number;
  readonly name: string;
  /** Is named, but not told: somebody whose account is deactivated. */
  readonly isSilent?: boolean;
}

export interface MentionableGroup {
  readonly id: number;
  /** As it is shown: of a system group its description. */
  readonly name: string;
  /** Whether the sender may mention it; silent mentions are anybody's. */
  readonly mayMention: boolean;
  /** Is named, but not told: a group that is deactivated. */
  readonly isSilent?: boolean;
}

export interface CustomEmoji {
  /** Its picture: a path of this server, or a web address. */
  readonly url: string;
}

/** What a text may refer to, as its sender sees it. Everything may be left out: then that syntax stays text. */
export interface RenderContext {
  /**
   * People of this name, in letters of either case: only those whom the sender may mention. Of several the one with
   * the lowest ID is meant, so that a newMember cannot draw mentions away from who was there before; `|id` says else.
   */
  usersByName?(name: string): readonly NamedPerson[];
  userById?(id: number): NamedPerson | undefined;
  groupByName?(name: string): MentionableGroup | undefined;
  /** Whether `@**all**` and its like mean something here, and `@**topic**`. */
  readonly channelWildcard?: boolean;
  readonly topicWildcard?: boolean;
  /** A channel that the sender may know of. */
  channelByName?(name: string): NamedChannel | undefined;
  /** The newest message of a topic that the sender can read: links to the topic stay good by it when it is renamed. */
  newestInTopic?(channelId: number, topic: string): number | undefined;
  /** How the empty topic is shown. */
  readonly emptyTopicName?: string;
  customEmoji?(name: string): CustomEmoji | undefined;
  readonly linkifiers?: Linkifiers;
  /** The sender's setting. */
  readonly translateEmoticons?: boolean;
  /** For code without one, as the organization says. */
  readonly defaultCodeLanguage?: string;
  /** The organization's own address: links to its pages and files lose it. */
  readonly baseUrl?: string;
  /** Finds words that somebody waits for; the result says which there are. */
  alertWords?(text: string): readonly string[];
}

export interface Mentions {
  /** People mentioned by name, who are to be told. */
  readonly userIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly channelWildcard: boolean;
  readonly topicWildcard: boolean;
  /** Named without being told: silent mentions, and those in quotes. */
  readonly silentUserIds: readonly number[];
  readonly silentGroupIds: readonly number[];
  /** Groups that the sender may not mention and did: the protocol refuses such a message. */
  readonly refusedGroupIds: readonly number[];
}

/** One rendering while it goes on; markdown-it hands it to our rules as its environment. */
export interface Rendering {
  readonly context: RenderContext;
  /** How many quotes surround the text that is being read: mentions in them tell nobody. */
  quotes: number;
  readonly userIds: Set<number>;
  readonly groupIds: Set<number>;
  readonly silentUserIds: Set<number>;
  readonly silentGroupIds: Set<number>;
  readonly refusedGroupIds: Set<number>;
  channelWildcard: boolean;
  topicWildcard: boolean;
  /** What mentions and channel links resolved to, so that each is looked up once. */
  readonly resolved: Map<string, unknown>;
  readonly math: MathBudget;
  readonly linkifierBudget: LinkifierBudget;
  readonly addressBudget: { steps: number };
  /** Targets of links in their order, once each. */
  readonly links: Set<string>;
  /** Text that alert words are looked for in. */
  words: string;
}
