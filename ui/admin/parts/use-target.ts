import { type RefObject, useEffect, useRef } from "react";

/**
 * Scrolls the target of the URL into view and focuses its field. An element without a field takes the focus itself and
 * needs a tabIndex.
 */
export function useTarget<E extends HTMLElement>(isTarget: boolean): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    const target = element.current;
    if (!isTarget || !target) return;
    target.scrollIntoView({ block: "center" });
    const field =
      target.querySelector<HTMLElement>("input[type=radio]:checked") ??
      target.querySelector<HTMLElement>("input:not([type=hidden]), textarea");
    (field ?? target).focus({ preventScroll: true });
  }, [isTarget]);
  return element;
}
