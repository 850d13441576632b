import { badRequest } from "../errors.ts";
import { alertWordKey, alertWordsOf, MAX_ALERT_WORDS } from "../queries/alert-words.ts";
import type { User } from "../queries/users.ts";
import type { Transaction } from "../storage/transaction.ts";

/** Adds those that the person does not have yet; letter case makes no difference. Returns all. */
export function addAlertWords(tx: Transaction, owner: User, words: readonly string[]): string[] {
  const before = alertWordsOf(tx, owner);
  const known = new Set(before.map(alertWordKey));
  const fresh = new Map<string, string>();
  for (const word of words) {
    const key = alertWordKey(word);
    if (!known.has(key) && !fresh.has(key)) fresh.set(key, word);
  }
  if (known.size + fresh.size > MAX_ALERT_WORDS)
    throw badRequest(`alert_words: you can have at most ${MAX_ALERT_WORDS}.`);
  for (const [key, word] of fresh)
    tx.run("INSERT INTO alert_words (user_id, word, word_key) VALUES (?, ?, ?)", owner.id, word, key);
  return announced(tx, owner, before);
}

/** Takes away those that the person has. Returns what is left. */
export function removeAlertWords(tx: Transaction, owner: User, words: readonly string[]): string[] {
  const before = alertWordsOf(tx, owner);
  const gone = new Set(words.map(alertWordKey));
  for (const key of new Set(before.map(alertWordKey))) {
    if (gone.has(key)) tx.run("DELETE FROM alert_words WHERE user_id = ? AND word_key = ?", owner.id, key);
  }
  return announced(tx, owner, before);
}

function announced(tx: Transaction, owner: User, before: readonly string[]): string[] {
  const alert_words = alertWordsOf(tx, owner);
  if (alert_words.length !== before.length) tx.emit({ type: "alert_words", alert_words }, { users: [owner.id] });
  return alert_words;
}
