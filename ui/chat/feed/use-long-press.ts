import { type PointerEvent, useEffect, useRef } from "react";

const LONG_MS = 500;
/** A finger that moves further scrolls. */
const STILL_PX = 10;

/** Calls `onLongPress` with the element on which a finger rests. Links and buttons still work. */
export function useLongPress(onLongPress: (element: HTMLElement) => void) {
  const pressed = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | undefined>(undefined);
  const wasLong = useRef(false);
  const cancel = () => {
    clearTimeout(pressed.current?.timer);
    pressed.current = undefined;
  };
  useEffect(() => () => clearTimeout(pressed.current?.timer), []);
  return {
    onPointerDown: ({ pointerType, isPrimary, target, currentTarget, clientX: x, clientY: y }: PointerEvent) => {
      cancel();
      wasLong.current = false;
      if (pointerType !== "touch" || !isPrimary || (target as Element).closest("a, button, input, textarea, video"))
        return;
      const element = currentTarget as HTMLElement;
      const fire = () => {
        wasLong.current = true;
        onLongPress(element);
      };
      pressed.current = { timer: setTimeout(fire, LONG_MS), x, y };
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { x, y } = pressed.current ?? { x: clientX, y: clientY };
      if (Math.hypot(clientX - x, clientY - y) > STILL_PX) cancel();
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    // The browser's click after it would close the menu.
    onTouchEnd: (event: React.TouchEvent) => {
      if (wasLong.current && event.cancelable) event.preventDefault();
      wasLong.current = false;
    },
    // The browser's own menu would cover ours.
    onContextMenu: (event: React.MouseEvent) => {
      if (pressed.current) event.preventDefault();
    },
  };
}
