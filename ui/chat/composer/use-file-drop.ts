import { useEffect, useEffectEvent, useState } from "react";
import { useStore } from "../../api/store.ts";
import { useChat } from "../chat-context.ts";

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
const isDialogOpen = (): boolean => document.querySelector("[role=dialog][aria-modal=true]") !== null;

/**
 * Takes files that are dropped anywhere on the page while no dialog is open. Returns whether files are over the page.
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const takeFiles = useEffectEvent(onFiles);
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer || !hasFiles(event) || isDialogOpen()) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer || !hasFiles(event) || isDialogOpen()) return;
      event.preventDefault();
      takeFiles([...event.dataTransfer.files]);
    };
    window.addEventListener("dragover", onDragOver);
    window.addEventListener("dragleave", onDragLeave);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("dragover", onDragOver);
      window.removeEventListener("dragleave", onDragLeave);
      window.removeEventListener("drop", onDrop);
    };
  }, []);
  return isOver;
}

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
