import { useEffect, useState } from "react";
import type { Desktop, DesktopSettings } from "../../../../main/bridge-types.ts";

/** The settings of the desktop app, read again when the window gets the focus: the tray's menu changes some of them. */
export function useDesktopSettings(
  desktop: Desktop | undefined,
): [DesktopSettings | undefined, (settings: DesktopSettings) => void] {
  const [settings, setSettings] = useState<DesktopSettings>();
  useEffect(() => {
    const read = () => void desktop?.settings().then(setSettings);
    read();
    window.addEventListener("focus", read);
    return () => window.removeEventListener("focus", read);
  }, [desktop]);
  return [settings, setSettings];
}
