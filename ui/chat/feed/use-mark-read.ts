import { useCallback } from "react";
import { addTexts, type LoadTexts } from "../../locales/i18n.ts";
import { loadPart } from "../../parts/lazy-part.ts";
import { useAttempt, useChat } from "../chat-context.ts";
import type { ReadScope } from "../model/reading.ts";

const loadTranslation: LoadTexts = (language) => import(`../../locales/${language}/bundles/marking.ts`);

/** Loads the code and texts when they are needed first. */
const load = () =>
  loadPart(async () => {
    const [{ markRead }, { markingPartTexts }] = await Promise.all([
      import("./mark-read.ts"),
      import("../../locales/en-marking.ts"),
    ]);
    await addTexts(markingPartTexts, loadTranslation);
    return markRead;
  });

export function useMarkRead(): (scope: ReadScope) => void {
  const { chat, page } = useChat();
  const attempt = useAttempt();
  return useCallback(
    (scope) => attempt(load().then((markRead) => markRead({ chat, page }, scope))),
    [chat, page, attempt],
  );
}
