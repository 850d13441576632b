/** What a key does. Each has a text of this name in `shortcuts.actions`. */
export type Action = (typeof SHORTCUTS)[number]["action"];

export interface Shortcut {
  readonly action: string;
  /** As keyOf writes them; the first is shown. */
  readonly keys: readonly string[];
  readonly group: "going" | "reading" | "writing" | "message";
}

/** The keys of the public web client, so that nobody has to learn others. They do nothing while one types. */
export const SHORTCUTS = [
  { action: "search", keys: ["/"], group: "going" },
  { action: "palette", keys: ["Ctrl+k"], group: "going" },
  { action: "nextUnreadTopic", keys: ["n"], group: "going" },
  { action: "nextUnreadFollowed", keys: ["N"], group: "going" },
  { action: "nextUnreadDirect", keys: ["p"], group: "going" },
  { action: "inbox", keys: ["I"], group: "going" },
  { action: "recent", keys: ["t"], group: "going" },
  { action: "feed", keys: ["a"], group: "going" },
  { action: "directs", keys: ["P"], group: "going" },
  { action: "starred", keys: ["*"], group: "going" },
  { action: "drafts", keys: ["d"], group: "going" },
  { action: "toggleNarrow", keys: ["s", "S"], group: "going" },
  { action: "previousChannel", keys: ["A"], group: "going" },
  { action: "nextChannel", keys: ["D"], group: "going" },
  { action: "home", keys: ["Escape", "Ctrl+["], group: "going" },
  { action: "findChannel", keys: ["q"], group: "going" },
  { action: "findPerson", keys: ["w"], group: "going" },
  { action: "account", keys: ["g"], group: "going" },
  { action: "help", keys: ["?"], group: "going" },
  { action: "nextMessage", keys: ["ArrowDown", "j"], group: "reading" },
  { action: "previousMessage", keys: ["ArrowUp", "k"], group: "reading" },
  { action: "pageDown", keys: ["PageDown", "J", " "], group: "reading" },
  { action: "pageUp", keys: ["PageUp", "K"], group: "reading" },
  { action: "lastMessage", keys: ["End", "G"], group: "reading" },
  { action: "firstMessage", keys: ["Home"], group: "reading" },
  { action: "inConversation", keys: ["z"], group: "reading" },
  { action: "reply", keys: ["r", "Enter"], group: "writing" },
  { action: "quote", keys: [">"], group: "writing" },
  { action: "replyDirectly", keys: ["R"], group: "writing" },
  { action: "replyMentioning", keys: ["@"], group: "writing" },
  { action: "newTopic", keys: ["c"], group: "writing" },
  { action: "newDirect", keys: ["x"], group: "writing" },
  { action: "editLast", keys: ["ArrowLeft"], group: "writing" },
  { action: "edit", keys: ["e"], group: "message" },
  { action: "star", keys: ["Ctrl+s"], group: "message" },
  { action: "thumbsUp", keys: ["+"], group: "message" },
  { action: "react", keys: [":"], group: "message" },
  { action: "toggleFirstReaction", keys: ["="], group: "message" },
  { action: "copyLink", keys: ["l"], group: "message" },
  { action: "markUnread", keys: ["U"], group: "message" },
  { action: "move", keys: ["m"], group: "message" },
  { action: "muteTopic", keys: ["M"], group: "message" },
  { action: "card", keys: ["u"], group: "message" },
  { action: "pictures", keys: ["v"], group: "message" },
  { action: "collapse", keys: ["-"], group: "message" },
  { action: "history", keys: ["H"], group: "message" },
  { action: "receipts", keys: ["V"], group: "message" },
  { action: "menu", keys: ["i"], group: "message" },
] as const satisfies readonly Shortcut[];

export const GROUPS = ["going", "reading", "writing", "message"] as const satisfies readonly Shortcut["group"][];

type KeyEvent = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** A key as the table above has it: `n`, `N` with Shift, `Ctrl+k` (⌘ on a Mac); undefined with Alt. */
export function keyOf({ key, ctrlKey, metaKey, altKey }: KeyEvent): string | undefined {
  // Alt with Ctrl is how some keyboards write @ and [.
  if (altKey && !ctrlKey) return undefined;
  return (ctrlKey || metaKey) && !altKey ? `Ctrl+${key.toLowerCase()}` : key;
}

const BY_KEY: ReadonlyMap<string, Action> = new Map(
  SHORTCUTS.flatMap(({ action, keys }) => keys.map((key) => [key, action] as const)),
);

export function actionOf(event: KeyEvent): Action | undefined {
  const key = keyOf(event);
  return key === undefined ? undefined : BY_KEY.get(key);
}
