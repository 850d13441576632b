import { z } from "zod";
import { refusedParameter } from "../../errors.ts";
import { isLonger, listOf } from "../../http/params.ts";
import { addAlertWords, removeAlertWords } from "../actions/alert-words.ts";
import { alertWordsOf, MAX_ALERT_WORD_LENGTH } from "../queries/alert-words.ts";
import { endpoint } from "./endpoint.ts";

const response = z.object({ alert_words: z.array(z.string()).describe("All of the caller's words.") });
const alert_words = listOf(z.string());

/** Trims words and removes empty ones. */
const asStored = (words: readonly string[]): string[] => words.map((word) => word.trim()).filter((word) => word !== "");

export const getAlertWords = endpoint({
  route: "GET /users/me/alert_words",
  summary: "List the caller's alert words.",
  who: "guest",
  response,
  handle: ({ viewer, reader }) => ({ alert_words: alertWordsOf(reader, viewer) }),
});

export const postAlertWords = endpoint({
  route: "POST /users/me/alert_words",
  summary: "Add alert words. Skips existing words.",
  who: "guest",
  params: { alert_words: alert_words.describe(`At most ${MAX_ALERT_WORD_LENGTH} characters each.`) },
  response,
  handle: ({ viewer, params, transact }) => {
    const words = asStored(params.alert_words);
    if (words.some((word) => isLonger(word, MAX_ALERT_WORD_LENGTH)))
      throw refusedParameter("alert_words", "alert_word_too_long", { count: MAX_ALERT_WORD_LENGTH });
    return { alert_words: transact((tx) => addAlertWords(tx, viewer, words)) };
  },
});

export const removeSomeAlertWords = endpoint({
  route: "DELETE /users/me/alert_words",
  summary: "Remove alert words. Ignores case.",
  who: "guest",
  params: { alert_words },
  response,
  handle: ({ viewer, params, transact }) => ({
    alert_words: transact((tx) => removeAlertWords(tx, viewer, asStored(params.alert_words))),
  }),
});
