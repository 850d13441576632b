import { Menu } from "@mantine/core";
import { Ellipsis } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { BACK_CLOSES, BackCloses } from "../../parts/back-closes.ts";
import type { Action } from "../actions/action.ts";
import { useActions } from "../actions/use-actions.ts";
import { IconButton } from "./IconButton.tsx";
import { MENU_HOST_ID } from "./menu-host.ts";

export interface ActionsMenuProps {
  label: string;
  size?: "sm" | "md" | "lg";
  className?: string | undefined;
  /** With `onChange`, for a menu that also opens by other means. */
  opened?: boolean;
  onChange?(opened: boolean): void;
  children: ReactNode;
}

const ICON_SIZES = { sm: "0.9375rem", md: "1rem", lg: "1.125rem" };

/** Three dots that open a menu of actions. */
export function ActionsMenu({ label, size = "lg", className, opened, onChange, children }: ActionsMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = opened ?? isOpen;
  const change = onChange ?? setOpen;
  const dropdown = useRef<HTMLDivElement>(null);
  useFocusReturn(shown, dropdown);
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      portalProps={{ target: `#${MENU_HOST_ID}` }}
      opened={shown}
      onChange={change}
      closeOnEscape={!BACK_CLOSES}
      // On a small screen, or with large text, a long menu scrolls.
      middlewares={{ flip: true, shift: true, size: true }}
    >
      {shown && <BackCloses onClose={() => change(false)} />}
      <Menu.Target>
        <IconButton size={size} className={className} label={label}>
          <Ellipsis size={ICON_SIZES[size]} aria-hidden="true" />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown ref={dropdown} style={{ overflowY: "auto" }}>
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}

export function ActionItems<Thing>({ actions, thing }: { actions: readonly Action<Thing>[]; thing: Thing }) {
  return useActions(actions, "menu", thing).map(({ id, text, Icon, action, run }) => (
    <Menu.Item
      key={id}
      {...(action.isDestructive && { color: "red" })}
      leftSection={Icon && <Icon size="1rem" aria-hidden="true" />}
      onClick={run}
    >
      {text}
    </Menu.Item>
  ));
}

/**
 * Returns the focus to the element that opened the menu, unless the chosen item moved it. Mantine's `returnFocus` would
 * take it away from there.
 */
function useFocusReturn(shown: boolean, dropdown: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!shown) return;
    const opener = document.activeElement;
    return () => {
      const { activeElement } = document;
      const isLost = activeElement === document.body || dropdown.current?.contains(activeElement);
      if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, [shown, dropdown]);
}
