import { type FocusEvent, useContext, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { LeaveGuardContext } from "./leave-guard.ts";

/**
 * Asks before a form discards its input: on its buttons, Escape, Back and links. On closing or reloading the page, the
 * browser asks. While the question is open, Escape and Back mean "no" and return to the last focused field.
 */
export function useDiscardQuestion(isChanged: () => boolean, onClose: () => void) {
  const [asks, setAsks] = useState(false);
  const lastField = useRef<HTMLElement>(null);
  /** Continues the blocked navigation; undefined if the form only closes. */
  const goOn = useRef<() => void>(undefined);
  const isLeft = useRef(false);
  const isUnsaved = useEffectEvent(() => !isLeft.current && isChanged());
  const guard = useContext(LeaveGuardContext);

  useEffect(
    () =>
      guard?.(
        () => isUnsaved(),
        (go) => {
          goOn.current = go;
          setAsks(true);
        },
      ),
    [guard],
  );
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => isUnsaved() && event.preventDefault();
    window.addEventListener("beforeunload", onBeforeUnload);
    return () => window.removeEventListener("beforeunload", onBeforeUnload);
  }, []);

  const stay = () => {
    goOn.current = undefined;
    flushSync(() => setAsks(false));
    lastField.current?.focus();
  };
  /** Leaves without a question. */
  const close = () => {
    isLeft.current = true;
    onClose();
  };
  return {
    asks,
    stay,
    close,
    discard() {
      isLeft.current = true;
      (goOn.current ?? onClose)();
    },
    leave() {
      if (asks) stay();
      else if (isChanged()) setAsks(true);
      else close();
    },
    noteFocus({ target }: FocusEvent) {
      if (target instanceof HTMLElement && target.matches("input, textarea, select")) lastField.current = target;
    },
  };
}
