import { useCallback } from "react";
import { addTexts, type LoadTexts } from "../../locales/i18n.ts";
import { loadPart } from "../../parts/lazy-part.ts";
import { useAttempt, useChat } from "../chat-context.ts";
import type { ReadScope } from "../model/reading.ts";

const loadTranslation: LoadTexts = (language) => import(`../../locales/${language}/bundles/marking.ts`);

/** Loads the code and texts of actions with Undo when they are needed first. */
export const loadMarking = () =>
  loadPart(async () => {
    const [{ markRead }, { moveMessages }, { markingPartTexts }] = await Promise.all([
      import("./mark-read.ts"),
      import("./move-messages.ts"),
      import("../../locales/en-marking.ts"),
    ]);
    await addTexts(markingPartTexts, loadTranslation);
    return { markRead, moveMessages };
  });

export function useMarkRead(): (scope: ReadScope) => void {
  const { chat, page } = useChat();
  const attempt = useAttempt();
  return useCallback(
    (scope) => attempt(loadMarking().then(({ markRead }) => markRead({ chat, page }, scope))),
    [chat, page, attempt],
  );
}
