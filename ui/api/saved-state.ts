import type { WireReminder } from "../../server/presenters/reminders.ts";
import type { WireScheduledMessage } from "../../server/presenters/scheduled-messages.ts";
import type { WireDraft } from "../../server/queries/drafts.ts";
import type { WireSavedSnippet } from "../../server/queries/saved-snippets.ts";
import type { Of, State } from "./state-shape.ts";

// What somebody keeps for later.

/** The list without the things of these ids, and with the new ones in their places. */
function put<T>(
  list: readonly T[],
  idOf: (thing: T) => number,
  gone: readonly number[],
  fresh: readonly T[],
  order: (a: T, b: T) => number,
): T[] {
  const replaced = new Set([...gone, ...fresh.map(idOf)]);
  return [...list.filter((thing) => !replaced.has(idOf(thing))), ...fresh].sort(order);
}

export function draftsChanged(state: State, event: Of<"drafts">): State {
  if (!state.drafts) return state;
  const gone = event.op === "remove" ? [event.draft_id] : [];
  const fresh = event.op === "add" ? event.drafts : event.op === "update" ? [event.draft] : [];
  const newestFirst = (a: WireDraft, b: WireDraft) => b.timestamp - a.timestamp || b.id - a.id;
  return { ...state, drafts: put(state.drafts, ({ id }) => id, gone, fresh, newestFirst) };
}

export function savedSnippetsChanged(state: State, event: Of<"saved_snippets">): State {
  if (!state.saved_snippets) return state;
  const gone = event.op === "remove" ? [event.saved_snippet_id] : [];
  const fresh = event.op === "remove" ? [] : [event.saved_snippet];
  const oldestFirst = (a: WireSavedSnippet, b: WireSavedSnippet) => a.id - b.id;
  return { ...state, saved_snippets: put(state.saved_snippets, ({ id }) => id, gone, fresh, oldestFirst) };
}

const nextFirst =
  <T extends { scheduled_delivery_timestamp: number }>(idOf: (thing: T) => number) =>
  (a: T, b: T): number =>
    a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || idOf(a) - idOf(b);

export function scheduledMessagesChanged(state: State, event: Of<"scheduled_messages">): State {
  if (!state.scheduled_messages) return state;
  const idOf = (message: WireScheduledMessage) => message.scheduled_message_id;
  const gone = event.op === "remove" ? [event.scheduled_message_id] : [];
  const fresh = event.op === "add" ? event.scheduled_messages : event.op === "update" ? [event.scheduled_message] : [];
  return { ...state, scheduled_messages: put(state.scheduled_messages, idOf, gone, fresh, nextFirst(idOf)) };
}

export function remindersChanged(state: State, event: Of<"reminders">): State {
  if (!state.reminders) return state;
  const idOf = (reminder: WireReminder) => reminder.reminder_id;
  const gone = event.op === "remove" ? [event.reminder_id] : [];
  const fresh = event.op === "add" ? event.reminders : [];
  return { ...state, reminders: put(state.reminders, idOf, gone, fresh, nextFirst(idOf)) };
}
