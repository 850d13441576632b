import { useEffect, useEffectEvent, useRef } from "react";
import { selectedMessageId } from "../feed/selection.ts";
import type { ActionContext } from "./action.ts";
import type { MessageThing } from "./message.ts";
import { keyedActionOf, press } from "./shortcuts.ts";
import { useActionContext } from "./use-actions.ts";

/** These also work in text fields. */
const EVERYWHERE: readonly string[] = ["palette"];
/** The focused element handles Enter and Space itself. */
const OWN_KEYS = "a, button, summary, [role=button], [role=option], [role=menuitem], video, audio";
const LEFT_TO_CONTROLS: readonly string[] = ["Enter", " "];

/** Runs the action of a pressed key on the open page, or on the selected message and its topic. */
export function useShortcuts(): void {
  const context = useActionContext();
  const belongsToOverlay = useRef(false);

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || context.page.value.dialog) return;
    if (belongsToOverlay.current) return;
    const keyed = keyedActionOf(event);
    if (!keyed) return;
    const target = event.target as HTMLElement;
    const isTyping = target.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");
    if (isTyping && !EVERYWHERE.includes(keyed.action.id)) return;
    if (LEFT_TO_CONTROLS.includes(event.key) && target.matches(OWN_KEYS)) return;
    if (press(keyed, context, () => selectedMessage(context))) event.preventDefault();
  });

  // A visible dialog gets all keys, although its focus comes a moment later; a menu gets them while it has the focus.
  // Escape closes both before the listener below runs, so an earlier listener looks for them.
  useEffect(() => {
    const look = ({ target }: KeyboardEvent) => {
      belongsToOverlay.current =
        document.querySelector("[role=dialog][aria-modal=true]") !== null ||
        (target as Element).closest("[role=dialog], [role=menu]") !== null;
    };
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", look, { capture: true });
    window.addEventListener("keydown", listen);
    return () => {
      window.removeEventListener("keydown", look, { capture: true });
      window.removeEventListener("keydown", listen);
    };
  }, []);
}

function selectedMessage({ chat, place }: ActionContext): MessageThing | undefined {
  if (place.page !== "messages") return undefined;
  const id = selectedMessageId();
  const found = chat.feed(place.narrow).store.value.messages.find((one) => one.id === id);
  return found && { message: chat.pending.shown(found), here: place.narrow };
}
