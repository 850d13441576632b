import { useMemo } from "react";
import { useAdmin } from "../admin-context.ts";

/** Opens a URL of the chat page: in the desktop app in the browser, signed in as the owner. */
export function useOpenChat(): (address: string) => void {
  const { desktop } = useAdmin();
  return useMemo(
    () => (address) => {
      if (!desktop) return window.location.assign(address);
      desktop
        .openChat(address)
        .catch(async (error: unknown) => (await import("../../parts/settings/notices.tsx")).noticeError(error));
    },
    [desktop],
  );
}
