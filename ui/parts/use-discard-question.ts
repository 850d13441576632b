import { type FocusEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";

/**
 * Leaving a form that asks before what was entered is dropped. While it asks, Escape and Back are the answer "no": the
 * form goes on, at the field that had the focus last.
 */
export function useDiscardQuestion(isChanged: () => boolean, onClose: () => void) {
  const [asks, setAsks] = useState(false);
  const lastField = useRef<HTMLElement>(null);
  const stay = () => {
    flushSync(() => setAsks(false));
    lastField.current?.focus();
  };
  return {
    asks,
    stay,
    leave() {
      if (asks) stay();
      else if (isChanged()) setAsks(true);
      else onClose();
    },
    noteFocus({ target }: FocusEvent) {
      if (target instanceof HTMLElement && target.matches("input, textarea, select")) lastField.current = target;
    },
  };
}
