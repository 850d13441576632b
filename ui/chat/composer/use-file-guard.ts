import { useEffect } from "react";
import { useStore } from "../../api/store.ts";
import { hasFiles } from "../../parts/use-file-drop.ts";
import { useChat } from "../chat-context.ts";

/** Prevents that a dropped file replaces the page, and asks before an upload is lost. */
export function useFileGuard(): void {
  const { chat } = useChat();
  const isSending = useStore(chat.uploads.store, (all) => all.some(({ state }) => state !== "failed"));
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer || !hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    };
    window.addEventListener("dragover", refuse);
    window.addEventListener("drop", refuse);
    return () => {
      window.removeEventListener("dragover", refuse);
      window.removeEventListener("drop", refuse);
    };
  }, []);
  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isSending]);
}
