import { Popover } from "@mantine/core";
import { useEffect, useState } from "react";
import { MENU_HOST_ID } from "./menu-host.ts";
import classes from "./Tooltips.module.css";

const DELAY_MS = 400;

/**
 * The `data-tooltip` of the element under the mouse, or with the keyboard focus. Unlike `title`, it appears for the
 * keyboard. One for the page, because a feed has many buttons; a Popover, because Mantine's Tooltip makes the first load
 * larger.
 */
export function Tooltips() {
  const [target, setTarget] = useState<HTMLElement>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    /** The clicked element. Its tooltip would cover the result, and returns when the mouse does. */
    let pressed: Element | null = null;
    const show = (element: Element | undefined, delay: number) => {
      clearTimeout(timer);
      const next = element?.closest<HTMLElement>("[data-tooltip]") ?? undefined;
      setTarget((before) => (before === next ? before : undefined));
      // A tooltip would cover the open menu.
      if (next && next.ariaExpanded !== "true") timer = setTimeout(() => setTarget(next), delay);
    };
    const hide = () => show(undefined, 0);
    const onPointer = ({ target, pointerType }: PointerEvent) => {
      if (pointerType !== "mouse" || (pressed && pressed === (target as Element).closest("[data-tooltip]"))) return;
      pressed = null;
      show(target as Element, DELAY_MS);
    };
    const onFocus = ({ target }: FocusEvent) => {
      const focused = target as Element;
      show(focused.matches(":focus-visible") ? focused : undefined, 0);
    };
    const onPress = ({ target }: PointerEvent) => {
      pressed = (target as Element).closest("[data-tooltip]");
      hide();
    };
    // The event that loaded this.
    const reached = matchMedia("(hover: hover)").matches ? ":is(:hover, :focus-visible)" : ":focus-visible";
    show(document.querySelector(`[data-tooltip]${reached}`) ?? undefined, DELAY_MS);
    document.addEventListener("pointerover", onPointer);
    document.addEventListener("focusin", onFocus);
    document.addEventListener("focusout", hide);
    document.addEventListener("pointerdown", onPress);
    document.addEventListener("keydown", hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerover", onPointer);
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("focusout", hide);
      document.removeEventListener("pointerdown", onPress);
      document.removeEventListener("keydown", hide);
    };
  }, []);
  if (!target) return null;
  const { left, top, width, height } = target.getBoundingClientRect();
  return (
    <Popover
      opened
      withRoles={false}
      position="bottom"
      offset={4}
      closeOnEscape={false}
      closeOnClickOutside={false}
      portalProps={{ target: `#${MENU_HOST_ID}` }}
    >
      <Popover.Target>
        <span className={classes.place} style={{ left, top, width, height }} />
      </Popover.Target>
      <Popover.Dropdown className={classes.tooltip} role="tooltip">
        {target.dataset["tooltip"]}
      </Popover.Dropdown>
    </Popover>
  );
}
