import { refusedParameter } from "../../errors.ts";
import type { Transaction } from "../../storage/transaction.ts";
import { alertWordKey, alertWordsOf, MAX_ALERT_WORDS } from "../queries/alert-words.ts";
import type { User } from "../queries/users.ts";
import { insertRow } from "./rows.ts";

/** Ignores case and existing words. Returns all words. */
export function addAlertWords(tx: Transaction, owner: User, words: readonly string[]): string[] {
  const before = alertWordsOf(tx, owner);
  const existing = new Set(before.map(alertWordKey));
  const added = new Map<string, string>();
  for (const word of words) {
    const key = alertWordKey(word);
    if (!existing.has(key) && !added.has(key)) added.set(key, word);
  }
  if (existing.size + added.size > MAX_ALERT_WORDS)
    throw refusedParameter("alert_words", "too_many_alert_words", { count: MAX_ALERT_WORDS });
  for (const [key, word] of added) insertRow(tx, "alert_words", { user_id: owner.id, word, word_key: key });
  return announced(tx, owner, before);
}

/** Ignores case. Returns the remaining words. */
export function removeAlertWords(tx: Transaction, owner: User, words: readonly string[]): string[] {
  const before = alertWordsOf(tx, owner);
  const removed = new Set(words.map(alertWordKey));
  for (const key of new Set(before.map(alertWordKey))) {
    if (removed.has(key)) tx.run("DELETE FROM alert_words WHERE user_id = ? AND word_key = ?", owner.id, key);
  }
  return announced(tx, owner, before);
}

function announced(tx: Transaction, owner: User, before: readonly string[]): string[] {
  const alert_words = alertWordsOf(tx, owner);
  if (alert_words.length !== before.length) tx.emit({ type: "alert_words", alert_words }, { users: [owner.id] });
  return alert_words;
}
