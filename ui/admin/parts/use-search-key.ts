import { useWindowEvent } from "@mantine/hooks";
import { type RefObject, useRef } from "react";
import { isTyping } from "../../parts/is-typing.ts";

/** The key `/` focuses the search field of the page, or of the drawer or dialog above it. */
export function useSearchKey(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useWindowEvent("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    const above = [...document.querySelectorAll("[aria-modal=true]")].at(-1);
    if (!field.current || (above && !above.contains(field.current))) return;
    event.preventDefault();
    field.current.focus();
  });
  return field;
}
