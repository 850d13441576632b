import { type RefObject, useEffect, useRef } from "react";

/**
 * For what an address leads to: brings it into view, with the focus in its field, or on itself where it has none (it
 * needs a tabIndex then).
 */
export function useTarget<E extends HTMLElement>(isTarget: boolean): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    const target = element.current;
    if (!isTarget || !target) return;
    target.scrollIntoView({ block: "center" });
    const field = target.querySelector<HTMLElement>("input:not([type=hidden]), textarea");
    (field ?? target).focus({ preventScroll: true });
  }, [isTarget]);
  return element;
}
