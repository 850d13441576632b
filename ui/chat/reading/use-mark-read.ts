import { useCallback } from "react";
import { addTexts, type LoadTexts } from "../../locales/i18n.ts";
import { loadPart } from "../../parts/lazy-part.ts";
import { useAttempt, useChat } from "../chat-context.ts";
import type { ReadScope } from "../model/reading.ts";

const loadTranslation: LoadTexts = (language) => import(`../../locales/${language}/bundles/marking.ts`);

/** Loaded when something is marked first, with its texts. */
const load = () =>
  loadPart(async () => {
    const [{ markRead }, { markingPartTexts }] = await Promise.all([
      import("./mark-read.ts"),
      import("../../locales/en-marking.ts"),
    ]);
    await addTexts(markingPartTexts, loadTranslation);
    return markRead;
  });

/** Marks all of a channel, a conversation or everything as read; notices tell how it goes, and take it back. */
export function useMarkRead(): (scope: ReadScope) => void {
  const { chat, page } = useChat();
  const attempt = useAttempt();
  return useCallback(
    (scope) => attempt(load().then((markRead) => markRead({ chat, page }, scope))),
    [chat, page, attempt],
  );
}
