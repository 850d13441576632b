import { conversationOf } from "../model/feed-state.ts";
import { type Action, type ActionContext, isAvailable, perform, setPage } from "./action.ts";
import { MESSAGE_ACTIONS, type MessageThing } from "./message.ts";
import { PAGE_ACTIONS, type PageThing } from "./page.ts";
import { TOPIC_ACTIONS, type TopicThing } from "./topic.ts";

/** An action with a key, and the kind of thing that it is for. */
export type KeyedAction =
  | { readonly kind: "page"; readonly action: Action<PageThing> }
  | { readonly kind: "message"; readonly action: Action<MessageThing> }
  | { readonly kind: "topic"; readonly action: Action<TopicThing> };

/**
 * The actions with keys. The keys are those of the public web client, so that nobody has to learn others. They do nothing
 * in text fields.
 */
export const KEYED_ACTIONS: readonly KeyedAction[] = [
  ...PAGE_ACTIONS.map((action) => ({ kind: "page", action }) as const),
  ...MESSAGE_ACTIONS.map((action) => ({ kind: "message", action }) as const),
  ...TOPIC_ACTIONS.map((action) => ({ kind: "topic", action }) as const),
].filter(({ action }) => action.shortcut !== undefined);

type KeyEvent = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** A key as shortcuts name it: `n`, `N` with Shift, `Ctrl+k` (⌘ on a Mac); undefined with Alt. */
export function keyOf({ key, ctrlKey, metaKey, altKey }: KeyEvent): string | undefined {
  // Some keyboards write @ and [ with Alt and Ctrl.
  if (altKey && !ctrlKey) return undefined;
  return (ctrlKey || metaKey) && !altKey ? `Ctrl+${key.toLowerCase()}` : key;
}

const BY_KEY: ReadonlyMap<string, KeyedAction> = new Map(
  KEYED_ACTIONS.flatMap((keyed) => (keyed.action.shortcut?.keys ?? []).map((key) => [key, keyed] as const)),
);

export function keyedActionOf(event: KeyEvent): KeyedAction | undefined {
  const key = keyOf(event);
  return key === undefined ? undefined : BY_KEY.get(key);
}

/**
 * Runs an action on the page, on the selected message or on its topic. Returns whether it is available; if not, the key
 * is the browser's.
 */
export function press(
  keyed: KeyedAction,
  context: ActionContext,
  selectedMessage: () => MessageThing | undefined,
): boolean {
  if (keyed.kind === "page") {
    const { place, mayManage } = context;
    return tryOn(keyed.action, context, { here: place.page === "messages" ? place.narrow : undefined, mayManage });
  }
  const selected = selectedMessage();
  if (keyed.kind === "message") return tryOn(keyed.action, context, selected);
  return tryOn(keyed.action, context, selected && topicOf(selected, context));
}

function topicOf({ message }: MessageThing, { chat }: ActionContext): TopicThing | undefined {
  const narrow = conversationOf(message, chat.userId);
  return narrow.kind === "topic" ? { ...narrow, messageId: message.id } : undefined;
}

function tryOn<Thing>(action: Action<Thing>, context: ActionContext, thing: Thing | undefined): boolean {
  if (thing === undefined) return false;
  const state = context.chat.state.value ?? {};
  if (isAvailable(action, state, thing)) {
    perform(action, context, thing);
    return true;
  }
  const refusal = action.refusal?.(state, thing);
  if (refusal) setPage(context, { notice: refusal(context.t) });
  return refusal !== undefined;
}
