import type { WireDraft } from "../../server/api/presenters/drafts.ts";
import type { WireReminder } from "../../server/api/presenters/reminders.ts";
import type { WireSavedSnippet } from "../../server/api/presenters/saved-snippets.ts";
import type { WireScheduledMessage } from "../../server/api/presenters/scheduled-messages.ts";
import type { Of, State } from "./state-shape.ts";

// Drafts, saved snippets, scheduled messages and reminders.

/** The list without the items of these ids and with the added ones, in order. */
function put<T>(
  list: readonly T[],
  idOf: (thing: T) => number,
  removed: readonly number[],
  added: readonly T[],
  order: (a: T, b: T) => number,
): T[] {
  const replaced = new Set([...removed, ...added.map(idOf)]);
  return [...list.filter((thing) => !replaced.has(idOf(thing))), ...added].sort(order);
}

export function draftsChanged(state: State, event: Of<"drafts">): State {
  if (!state.drafts) return state;
  const removed = event.op === "remove" ? [event.draft_id] : [];
  const added = event.op === "add" ? event.drafts : event.op === "update" ? [event.draft] : [];
  const newestFirst = (a: WireDraft, b: WireDraft) => b.timestamp - a.timestamp || b.id - a.id;
  return { ...state, drafts: put(state.drafts, ({ id }) => id, removed, added, newestFirst) };
}

export function savedSnippetsChanged(state: State, event: Of<"saved_snippets">): State {
  if (!state.saved_snippets) return state;
  const removed = event.op === "remove" ? [event.saved_snippet_id] : [];
  const added = event.op === "remove" ? [] : [event.saved_snippet];
  const oldestFirst = (a: WireSavedSnippet, b: WireSavedSnippet) => a.id - b.id;
  return { ...state, saved_snippets: put(state.saved_snippets, ({ id }) => id, removed, added, oldestFirst) };
}

const nextFirst =
  <T extends { scheduled_delivery_timestamp: number }>(idOf: (thing: T) => number) =>
  (a: T, b: T): number =>
    a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || idOf(a) - idOf(b);

export function scheduledMessagesChanged(state: State, event: Of<"scheduled_messages">): State {
  if (!state.scheduled_messages) return state;
  const idOf = (message: WireScheduledMessage) => message.scheduled_message_id;
  const removed = event.op === "remove" ? [event.scheduled_message_id] : [];
  const added = event.op === "add" ? event.scheduled_messages : event.op === "update" ? [event.scheduled_message] : [];
  return { ...state, scheduled_messages: put(state.scheduled_messages, idOf, removed, added, nextFirst(idOf)) };
}

export function remindersChanged(state: State, event: Of<"reminders">): State {
  if (!state.reminders) return state;
  const idOf = (reminder: WireReminder) => reminder.reminder_id;
  const removed = event.op === "remove" ? [event.reminder_id] : [];
  const added = event.op === "add" ? event.reminders : [];
  return { ...state, reminders: put(state.reminders, idOf, removed, added, nextFirst(idOf)) };
}
