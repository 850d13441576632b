import { useEffect, useRef, useState } from "react";
import { closeByBack } from "./spare-entry.ts";
import { IS_TOUCHED } from "./touch.ts";

/** What a browser calls when somebody asks to close what is open: Back on a phone, Escape on a keyboard. */
interface Watcher {
  onclose: (() => void) | null;
  destroy(): void;
}

const { CloseWatcher } = window as Window & { CloseWatcher?: new () => Watcher };

/**
 * Whether Escape is the same as Back: where fingers point, and the browser has CloseWatcher. It must not close anything
 * by itself then.
 */
export const BACK_CLOSES = CloseWatcher !== undefined && IS_TOUCHED;

/** As long as it is shown, Back on a phone closes what is open, and does not leave the place beneath it. */
export function BackCloses({ onClose }: { onClose(): void }): null {
  const [asked, setAsked] = useState(0);
  const latest = useRef(onClose);
  latest.current = onClose;
  // A watcher is called once. What stays open, since there is something in it to lose, gets another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: one for each time that it was asked
  useEffect(() => {
    if (!IS_TOUCHED) return;
    const close = () => {
      setAsked((count) => count + 1);
      latest.current();
    };
    if (!CloseWatcher) return closeByBack(close);
    const watcher = new CloseWatcher();
    watcher.onclose = close;
    return () => watcher.destroy();
  }, [asked]);
  return null;
}
