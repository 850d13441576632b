import type { TFunction } from "i18next";
import type { LucideIcon } from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import { errorMessage } from "../../parts/error-messages.ts";
import type { ChatContext } from "../chat-context.ts";
import type { ReadScope } from "../model/reading.ts";
import { SPECTATOR_ID } from "../model/spectating.ts";
import type { PageState } from "../page-state.ts";
import type { OpenCard } from "../people/open-card.ts";

/** Everything that an action needs besides its target. */
export interface ActionContext extends ChatContext {
  readonly t: TFunction;
  openCard(card: OpenCard | undefined): void;
  markRead(scope: ReadScope): void;
  showError(text: string): void;
}

/** A text in the language of the page. */
export type Text = (t: TFunction) => string;

export interface Look {
  readonly label: Text;
  readonly icon: LucideIcon;
}

export const SHORTCUT_GROUPS = ["going", "reading", "writing", "message"] as const;

export interface Shortcut {
  /** As keyOf writes them. The help shows the first two. */
  readonly keys: readonly string[];
  readonly group: (typeof SHORTCUT_GROUPS)[number];
  /** The text in the help, if it differs from the action's label. */
  readonly help?: Text;
}

/**
 * Something that a person can do with a message, a topic, a channel, a person or the page. Menus, toolbars, the keyboard,
 * the palette and the help are made from tables of these.
 */
export interface Action<Thing> {
  readonly id: string;
  readonly label: Text;
  /** Missing if the action has only a key. */
  readonly icon?: LucideIcon;
  readonly shortcut?: Shortcut;
  readonly shownIn?: readonly ("toolbar" | "menu" | "palette" | "card")[];
  /** For a toggle: its look while it is on. */
  readonly on?: Look;
  isOn?(state: State, thing: Thing): boolean;
  readonly isDestructive?: boolean;
  /** Other words by which the palette finds the action. */
  readonly keywords?: Text;
  /** For an action that only opens a page: its URL. */
  readonly href?: string;
  /** Available without an account. */
  readonly isPublic?: boolean;
  isAvailable?(state: State, thing: Thing): boolean;
  /** The reason why the action is unavailable, for a person who presses its key. */
  refusal?(state: State, thing: Thing): Text | undefined;
  /** The error of a promise is shown. */
  run(context: ActionContext, thing: Thing): unknown;
}

export const isAvailable = <Thing>(action: Action<Thing>, state: State, thing: Thing): boolean =>
  (action.isPublic === true || state.user_id !== SPECTATOR_ID) && (action.isAvailable?.(state, thing) ?? true);

export const setPage = ({ page }: Pick<ChatContext, "page">, change: Partial<PageState>): void =>
  page.update((before) => ({ ...before, ...change }));

export function perform<Thing>(action: Action<Thing>, context: ActionContext, thing: Thing): void {
  const result = action.run(context, thing);
  if (result instanceof Promise) result.catch((error: unknown) => context.showError(errorMessage(error)));
}
