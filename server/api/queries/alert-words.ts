import { finderOf, foldedWords } from "../../markdown/matches.ts";
import type { Reader } from "../../storage/transaction.ts";
import type { User } from "./users.ts";

/** Unicode code points. */
export const MAX_ALERT_WORD_LENGTH = 100;
/** Per person. */
export const MAX_ALERT_WORDS = 500;

/** The form in which a person's alert words are compared. */
export const alertWordKey = (word: string): string => word.normalize("NFC").toLowerCase();

/** In the order of creation. */
export const alertWordsOf = (reader: Reader, user: Pick<User, "id">): string[] =>
  reader.values<string>("SELECT word FROM alert_words WHERE user_id = ? ORDER BY id", user.id);

interface AlertWords {
  find(text: string): string[];
  /** User ids by case-folded word. */
  readonly users: ReadonlyMap<string, readonly number[]>;
}

// One matcher for all words of the organization: it scans a text once, regardless of the number of words.
const allAlertWords = (reader: Reader): AlertWords | undefined =>
  reader.derived("alert words of everybody", ["alert_words"], (rows) => {
    const users = new Map<string, number[]>();
    for (const { user, word } of rows.all<{ user: number; word: string }>(
      "SELECT user_id AS user, word FROM alert_words ORDER BY user_id, id",
    )) {
      const key = foldedWords(word).join(" ");
      const ids = users.get(key);
      if (!ids) users.set(key, [user]);
      else if (ids.at(-1) !== user) ids.push(user);
    }
    return users.size === 0 ? undefined : { find: finderOf(users.keys()), users };
  });

/** Finds all of the organization's alert words in a text; undefined if there are none. */
export const alertWordsIn = (reader: Reader): ((text: string) => string[]) | undefined => allAlertWords(reader)?.find;

/** The users with these alert words. The words are results of `alertWordsIn`. */
export function usersAlertedBy(reader: Reader, found: readonly string[]): Set<number> {
  const { users } = allAlertWords(reader) ?? {};
  return new Set(found.flatMap((key) => users?.get(key) ?? []));
}
