import { useEffect, useEffectEvent, useState } from "react";
import { closeByBack } from "./spare-entry.ts";
import { IS_TOUCHED } from "./touch.ts";

/** The browser calls it for a close request: Back on a phone, Escape on a keyboard. */
interface Watcher {
  onclose: (() => void) | null;
  destroy(): void;
}

const { CloseWatcher } = window as Window & { CloseWatcher?: new () => Watcher };

/**
 * Whether Escape and Back are the same close request: on touch devices with CloseWatcher. Then Escape must not close
 * anything in another way.
 */
export const BACK_CLOSES = CloseWatcher !== undefined && IS_TOUCHED;

/** While it is mounted, Back on a phone calls `onClose` instead of leaving the page. */
export function BackCloses({ onClose }: { onClose(): void }): null {
  const [asked, setAsked] = useState(0);
  const close = useEffectEvent(() => {
    setAsked((count) => count + 1);
    onClose();
  });
  // A watcher fires once. A dialog that stays open, because it asks first, needs another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new watcher for each close request
  useEffect(() => {
    if (!IS_TOUCHED) return;
    if (!CloseWatcher) return closeByBack(() => close());
    const watcher = new CloseWatcher();
    watcher.onclose = () => close();
    return () => watcher.destroy();
  }, [asked]);
  return null;
}
