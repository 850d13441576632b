import { useState } from "react";

/**
 * Whether the pointer or the focus is in an element. A menu takes longer to render than the rest of a row, so only the
 * active row has one.
 */
export function useActive() {
  const [isHovered, setHovered] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  return {
    isActive: isHovered || hasFocus,
    handlers: {
      // Not "enter": when the row under the pointer disappears, React misses that the pointer enters the next one. Touch
      // is ignored, because a finger is over each row that it scrolls; a tap focuses its row.
      onPointerOver: ({ pointerType }: React.PointerEvent) => {
        if (pointerType !== "touch") setHovered(true);
      },
      onPointerLeave: () => setHovered(false),
      onFocus: () => setFocus(true),
      onBlur: ({ currentTarget, relatedTarget }: React.FocusEvent) => {
        if (currentTarget.contains(relatedTarget)) return;
        setFocus(false);
        setHovered((before) => before && currentTarget.matches(":hover"));
      },
    },
  };
}
