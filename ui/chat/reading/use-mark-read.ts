import { useCallback } from "react";
import { addTexts } from "../../locales/i18n.ts";
import { loadPart } from "../../parts/lazy-part.ts";
import { useAttempt, useChat } from "../chat-context.ts";
import type { ReadScope } from "../model/reading.ts";

const loadGerman = () => import("../../locales/de-marking.ts").then((all) => all.markingPartTexts);

/** Loads the code and texts when they are needed first. */
const load = () =>
  loadPart(async () => {
    const [{ markRead }, { markingPartTexts }] = await Promise.all([
      import("./mark-read.ts"),
      import("../../locales/en-marking.ts"),
    ]);
    await addTexts(markingPartTexts, loadGerman);
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
