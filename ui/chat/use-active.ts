import { useState } from "react";

/**
 * Whether the pointer or the focus is in an element. Tools that hundreds of rows would have are made only for the one
 * that is used: a menu takes longer to make than the rest of a row.
 */
export function useActive() {
  const [isHovered, setHovered] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  return {
    isActive: isHovered || hasFocus,
    handlers: {
      // Not "enter": where the row below the pointer goes, React misses that the pointer enters the next. A finger is over
      // whatever it scrolls: what it taps gets the focus.
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
