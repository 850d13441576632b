import { type RefObject, useEffect, useRef } from "react";
import { isTyping } from "../../parts/is-typing.ts";

/** The key `/` focuses the search field of the page, or of the drawer or dialog above it. */
export function useSearchKey(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      const above = [...document.querySelectorAll("[aria-modal=true]")].at(-1);
      if (!field.current || (above && !above.contains(field.current))) return;
      event.preventDefault();
      field.current.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return field;
}
