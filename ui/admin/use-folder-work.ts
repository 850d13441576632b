import { useEffect, useState } from "react";
import type { Desktop, FolderWork } from "../../main/bridge-types.ts";

const ASK_MS = 300;

/**
 * The move or restore that the server is stopped for, polled while `isAsked`. Undefined in a browser.
 */
export function useFolderWork(desktop: Desktop | undefined, isAsked: boolean): FolderWork | undefined {
  const [work, setWork] = useState<FolderWork>();
  useEffect(() => {
    setWork(undefined);
    if (!desktop || !isAsked) return;
    const ask = () => void desktop.folderWork().then((found) => found && setWork(found));
    ask();
    const timer = setInterval(ask, ASK_MS);
    return () => clearInterval(timer);
  }, [desktop, isAsked]);
  return work;
}
