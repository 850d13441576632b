import { useEffect, useEffectEvent, useState } from "react";

export const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
const isDialogOpen = (): boolean => document.querySelector("[role=dialog][aria-modal=true]") !== null;

/**
 * Takes files and folders that are dropped anywhere on the page while no dialog is open. Returns whether files are over
 * the page. `capture`: before other listeners of the window.
 */
export function useFileDrop(onDropped: (data: DataTransfer) => void, { capture = false } = {}): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onDropped);
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
      take(event.dataTransfer);
    };
    window.addEventListener("dragover", onDragOver, capture);
    window.addEventListener("dragleave", onDragLeave, capture);
    window.addEventListener("drop", onDrop, capture);
    return () => {
      window.removeEventListener("dragover", onDragOver, capture);
      window.removeEventListener("dragleave", onDragLeave, capture);
      window.removeEventListener("drop", onDrop, capture);
    };
  }, [capture]);
  return isOver;
}
