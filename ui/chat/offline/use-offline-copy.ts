import { useCallback, useEffect, useState } from "react";
import type { Session } from "../../api/session.ts";
import { browserCopies, type OfflineCopy, removeCopyOfOthers } from "../model/offline-copy.ts";

/** Connections to a sleeping machine hang instead of failing. */
const TIMEOUT_MS = 3_000;

/**
 * The browser's copy of the chat while the server is unreachable. Removed when another user, or no user, is signed in.
 */
export function useOfflineCopy(session: Session | undefined, isUnreachable: boolean) {
  const [copy, setCopy] = useState<OfflineCopy>();
  const isAnswered = session !== undefined;

  useEffect(() => {
    if (isAnswered) return;
    let isLeft = false;
    const show = async () => {
      const found = await browserCopies.read();
      if (!isLeft) setCopy(found);
    };
    const timer = setTimeout(show, isUnreachable ? 0 : TIMEOUT_MS);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [isAnswered, isUnreachable]);

  useEffect(() => {
    if (session && !session.setup) void removeCopyOfOthers(session.user?.user_id);
  }, [session]);

  const removeCopy = useCallback(async () => {
    setCopy(undefined);
    await browserCopies.remove();
  }, []);
  return { copy, removeCopy };
}
