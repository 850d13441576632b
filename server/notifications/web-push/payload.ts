import type { ShownNotification } from "../../api/presenters/notifications.ts";

/** The JSON that a browser's service worker gets (ui/chat/offline/service-worker.ts). */
export interface PushPayload {
  readonly kind: "message" | "test";
  readonly title: string;
  readonly body: string;
  /** Relative to the server. */
  readonly url: string;
  /** A notification replaces an earlier one with the same tag. */
  readonly tag: string;
  /** The sender's picture, relative to the server. Null for tests. */
  readonly icon: string | null;
  /** Null for tests. */
  readonly message_id: number | null;
  /** Messages that were read or deleted recently: the browser closes their notifications. */
  readonly clear: readonly number[];
}

/**
 * A browser must show a notification for each push: Chrome shows one of its own otherwise, and Safari ends the
 * subscription. So nothing is sent when messages are read. The next push lists them, and an open page closes theirs
 * itself. This many fit: a list that is too short leaves a notification, which the person can close.
 */
export const MAX_CLEARED = 50;

/** RFC 8291 allows 4096 bytes with headers. Encryption pads to it, so that push services learn no lengths. */
const MAX_BYTES = 3993;
const LETTERS = [300, 150, 75, 30];

export function payloadOf(
  { kind, title, body, url, conversation, picture }: ShownNotification,
  { messageId, clear }: { messageId: number | null; clear: readonly number[] },
): PushPayload {
  const payload = { kind, title, body, url, tag: conversation, icon: picture, message_id: messageId, clear };
  const all = LETTERS.map((letters) => ({ ...payload, title: cut(title, letters), body: cut(body, letters) }));
  return all.find((one) => Buffer.byteLength(JSON.stringify(one)) <= MAX_BYTES) ?? { ...payload, clear: [], body: "" };
}

function cut(text: string, max: number): string {
  const letters = [...text];
  return letters.length <= max ? text : `${letters.slice(0, max - 1).join("")}…`;
}
