import { type FocusEvent, useContext, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { LeaveGuardContext } from "./leave-guard.ts";

/**
 * Leaving a form that asks before what was entered is dropped: by its buttons, by Escape, by Back or a link, and by
 * closing or reloading the page, where the browser asks. While it asks, Escape and Back are the answer "no": the form
 * goes on, at the field that had the focus last.
 */
export function useDiscardQuestion(isChanged: () => boolean, onClose: () => void) {
  const [asks, setAsks] = useState(false);
  const lastField = useRef<HTMLElement>(null);
  /** What goes on to where one was about to go; undefined where the form is only to be closed. */
  const goOn = useRef<() => void>(undefined);
  const isLeft = useRef(false);
  const isUnsaved = useRef<() => boolean>(() => false);
  isUnsaved.current = () => !isLeft.current && isChanged();
  const guard = useContext(LeaveGuardContext);

  useEffect(
    () =>
      guard?.(
        () => isUnsaved.current(),
        (go) => {
          goOn.current = go;
          setAsks(true);
        },
      ),
    [guard],
  );
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => isUnsaved.current() && event.preventDefault();
    window.addEventListener("beforeunload", onBeforeUnload);
    return () => window.removeEventListener("beforeunload", onBeforeUnload);
  }, []);

  const stay = () => {
    goOn.current = undefined;
    flushSync(() => setAsks(false));
    lastField.current?.focus();
  };
  /** Leaves without a question: what was entered is sent, or is to be dropped. */
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
