import type { LucideIcon } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { State } from "../../api/state-shape.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { useMarkRead } from "../feed/use-mark-read.ts";
import { useOpenCard } from "../people/open-card.ts";
import { type Action, type ActionContext, isAvailable, type Look, perform, setPage } from "./action.ts";

export function useActionContext(): ActionContext {
  const chat = useChat();
  const { t } = useTranslation();
  const openCard = useOpenCard();
  const markRead = useMarkRead();
  return useMemo(
    () => ({ ...chat, t, openCard, markRead, showError: (notice) => setPage(chat, { notice }) }),
    [chat, t, openCard, markRead],
  );
}

/** An available action of a table, ready for a menu. */
export interface ShownAction {
  readonly id: string;
  readonly text: string;
  readonly Icon: LucideIcon | undefined;
  /** Undefined if the action is not a toggle. */
  readonly isOn: boolean | undefined;
  readonly action: Pick<Action<never>, "isDestructive" | "keywords" | "href">;
  run(): void;
}

/**
 * The available actions of a table that are shown in a place, for a thing. `showError` replaces the notice above the
 * composer.
 */
export function useActions<Thing>(
  actions: readonly Action<Thing>[],
  place: NonNullable<Action<Thing>["shownIn"]>[number],
  thing: Thing | undefined,
  showError?: (text: string) => void,
): readonly ShownAction[] {
  const context = useActionContext();
  const available = (state: State) =>
    thing === undefined
      ? []
      : actions
          .filter((action) => action.shownIn?.includes(place) && isAvailable(action, state, thing))
          .map((action) => {
            const isOn = action.isOn?.(state, thing);
            const look: Partial<Look> & Pick<Look, "label"> = (isOn && action.on) || action;
            return { action, isOn, look, thing };
          });
  // A string, so that events that change nothing here do not draw the menu again.
  useChatState((state) =>
    available(state)
      .map(({ action, isOn }) => `${action.id} ${isOn}`)
      .join(),
  );
  return available(context.chat.state.value ?? {}).map(({ action, isOn, look, thing }) => ({
    id: action.id,
    text: look.label(context.t),
    Icon: look.icon,
    isOn,
    action,
    run: () => perform(action, { ...context, ...(showError && { showError }) }, thing),
  }));
}
