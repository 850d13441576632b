import { useCallback, useEffect, useState } from "react";
import type { Session } from "../../api/session.ts";
import { browserCopies, keepCopyOnlyOf, type OfflineCopy } from "../model/offline-copy.ts";

/** A machine that sleeps refuses nothing: whoever has waited so long sees what is there. */
const PATIENCE_MS = 3_000;

/** What this browser has of the chat, once the server does not answer; gone when somebody else, or nobody, is signed in. */
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
    const timer = setTimeout(show, isUnreachable ? 0 : PATIENCE_MS);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [isAnswered, isUnreachable]);

  useEffect(() => {
    if (session && !session.setup) void keepCopyOnlyOf(session.user?.user_id);
  }, [session]);

  const removeCopy = useCallback(async () => {
    setCopy(undefined);
    await browserCopies.remove();
  }, []);
  return { copy, removeCopy };
}
