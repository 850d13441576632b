export interface Draft {
  readonly text: string;
  /** Of a message to a channel, while no topic is open. */
  readonly topic: string;
}

const EMPTY: Draft = { text: "", topic: "" };
const storageKey = (userId: number, conversation: string) => `hearth-draft-${userId}-${conversation}`;

/** What was typed in a conversation and not sent: it stays in this browser. */
export function loadDraft(userId: number, conversation: string): Draft {
  try {
    return { ...EMPTY, ...(JSON.parse(localStorage.getItem(storageKey(userId, conversation)) ?? "{}") as Draft) };
  } catch {
    return EMPTY; // storage may be forbidden
  }
}

export function saveDraft(userId: number, conversation: string, draft: Draft): void {
  const key = storageKey(userId, conversation);
  try {
    if (draft.text === "" && draft.topic === "") localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(draft));
  } catch {} // full, or forbidden: the open page still has it
}
