import type { HelpSection } from "./help/sections.ts";
import type { DraftNarrow } from "./model/drafts.ts";

export type OpenDialog =
  | { readonly kind: "help"; readonly section: HelpSection }
  /** "go" lists places first, "search" search terms. */
  | { readonly kind: "palette"; readonly mode: "go" | "search"; readonly text?: string }
  | { readonly kind: "newDirect" }
  | { readonly kind: "browse" | "groups" }
  | { readonly kind: "newChannel"; readonly name?: string }
  | { readonly kind: "history" | "receipts" | "reactors" | "report"; readonly messageId: number }
  | { readonly kind: "reschedule"; readonly scheduledId: number }
  | { readonly kind: "schedule"; readonly narrow: DraftNarrow }
  | { readonly kind: "snippets" | "poll" | "todo"; readonly narrow: DraftNarrow }
  | { readonly kind: "remind"; readonly messageId: number }
  | { readonly kind: "picture"; readonly address: string }
  | { readonly kind: "deleteTopic"; readonly channelId: number; readonly topic: string };

/** The state of the move form above the open conversation. */
export interface Move {
  /** Any message of the topic, or the first one that moves. */
  readonly messageId: number;
  readonly channelId: number;
  readonly topic: string;
  /** "change_all" renames the topic. */
  readonly mode: "change_one" | "change_later" | "change_all";
}

/** The element that gets the focus when a conversation opens. */
export type FocusTarget = "composer" | "topic" | "messages";

/** The state of the page that its URL does not have. */
export interface PageState {
  readonly dialog: OpenDialog | undefined;
  readonly editing: { readonly id: number; readonly from: FocusTarget } | undefined;
  /** The messages whose emoji picker and menu are open. */
  readonly picking: number | undefined;
  readonly menu: number | undefined;
  readonly move: Move | undefined;
  readonly focus: FocusTarget;
  /** A text to add to the draft. */
  readonly insertion: string | undefined;
  /** A text to add to the draft of the place that the user opens next. */
  readonly forwarding: string | undefined;
  /** The key of a conversation with a new message of the user, to which its feed scrolls. */
  readonly sentTo: string | undefined;
  /** The result of the last action. */
  readonly notice: string | undefined;
  /** The user marked messages as unread here, so showing them does not mark them as read. */
  readonly keepsUnread: boolean;
}

export const INITIAL_PAGE: PageState = {
  dialog: undefined,
  editing: undefined,
  picking: undefined,
  menu: undefined,
  move: undefined,
  focus: "composer",
  insertion: undefined,
  forwarding: undefined,
  sentTo: undefined,
  notice: undefined,
  keepsUnread: false,
};
