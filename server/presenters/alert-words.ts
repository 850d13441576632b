import { alertWordsOf } from "../queries/alert-words.ts";
import type { RegisterPart } from "./register-context.ts";

export const registerParts: Record<string, RegisterPart> = {
  alert_words: ({ reader, viewer }) => ({ alert_words: alertWordsOf(reader, viewer) }),
};
