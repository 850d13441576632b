import { z } from "zod";
import { alertWordsOf } from "../queries/alert-words.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  alert_words: registerPart({
    fields: { alert_words: z.array(z.string()) },
    read: ({ reader, viewer }) => ({ alert_words: alertWordsOf(reader, viewer) }),
    spectators: { alert_words: [] },
  }),
};
