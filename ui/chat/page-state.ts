import type { HelpSection } from "./help/sections.ts";
import type { DraftNarrow } from "./model/drafts.ts";

/** The dialog that is open; each is a file of its own, loaded when it is opened first. */
export type OpenDialog =
  | { readonly kind: "help"; readonly section: HelpSection }
  /** "go" offers places first, "search" what can be searched for. */
  | { readonly kind: "palette"; readonly mode: "go" | "search"; readonly text?: string }
  | { readonly kind: "newDirect" }
  | { readonly kind: "browse" | "groups" }
  /** `name`: what is typed already. */
  | { readonly kind: "newChannel"; readonly name?: string }
  | { readonly kind: "history" | "receipts" | "reactors" | "report"; readonly messageId: number }
  /** Chooses another time for a scheduled message. */
  | { readonly kind: "reschedule"; readonly scheduledId: number }
  /** Chooses the time for what is written in a conversation. */
  | { readonly kind: "schedule"; readonly narrow: DraftNarrow }
  | { readonly kind: "snippets" | "poll" | "todo"; readonly narrow: DraftNarrow }
  /** Chooses the time of a reminder. */
  | { readonly kind: "remind"; readonly messageId: number }
  /** Shows a picture of the open conversation, large. */
  | { readonly kind: "picture"; readonly address: string }
  | { readonly kind: "deleteTopic"; readonly channelId: number; readonly topic: string };

/** Messages that are about to be moved: what is asked stands above the open conversation. */
export interface Move {
  /** Any message of the topic, or the one from which on messages move. */
  readonly messageId: number;
  readonly channelId: number;
  readonly topic: string;
  /** "change_all" where a topic is renamed. */
  readonly mode: "change_one" | "change_later" | "change_all";
}

/** Where the focus goes when a conversation opens: one writes, or goes on reading by keyboard. */
export type FocusTarget = "composer" | "topic" | "messages";

/** What the page shows beside the place that its address names. */
export interface PageState {
  readonly dialog: OpenDialog | undefined;
  readonly editing: { readonly id: number; readonly from: FocusTarget } | undefined;
  /** The message whose emoji picker is open, and the one whose menu is. */
  readonly picking: number | undefined;
  readonly menu: number | undefined;
  readonly move: Move | undefined;
  readonly focus: FocusTarget;
  /** To be added to what is being written. */
  readonly insertion: string | undefined;
  /** To be added to what is written at the place that is being chosen. */
  readonly forwarding: string | undefined;
  /** The key of the conversation in which something was just sent: its feed shows that. */
  readonly sentTo: string | undefined;
  /** What the last attempt came to, for the reader. */
  readonly notice: string | undefined;
  /** Messages were marked as unread here: being seen does not mark them read again. */
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
