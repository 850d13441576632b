import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useAdmin } from "../admin-context.ts";

const INSTALLER = /\.(?:AppImage|deb|rpm|exe|zip)$/i;

/** Checks an installer that is dropped on the desktop app's window, and shows the result on the Updates page. */
export function useInstallerDrop(): void {
  const { desktop } = useAdmin();
  const navigate = useNavigate();
  useEffect(() => {
    if (!desktop) return;
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); // allows the drop
    };
    const onDrop = (event: DragEvent) => {
      const file = [...(event.dataTransfer?.files ?? [])].find(({ name }) => INSTALLER.test(name));
      if (!file || event.defaultPrevented) return; // a file field has taken it
      event.preventDefault();
      void desktop.checkInstallerFile(file);
      void navigate({ to: "/updates" });
    };
    window.addEventListener("dragover", onDragOver);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("dragover", onDragOver);
      window.removeEventListener("drop", onDrop);
    };
  }, [desktop, navigate]);
}
