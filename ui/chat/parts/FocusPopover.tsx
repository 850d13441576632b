import { Popover, type PopoverProps } from "@mantine/core";
import { BACK_CLOSES, BackCloses } from "../../parts/back-closes.ts";

export interface FocusPopoverProps extends PopoverProps {
  opened: boolean;
  onChange(opened: boolean): void;
}

/** A Popover that traps the focus, and that Back closes too. */
export function FocusPopover({ children, ...props }: FocusPopoverProps) {
  return (
    <Popover shadow="md" trapFocus returnFocus closeOnEscape={!BACK_CLOSES} {...props}>
      {props.opened && <BackCloses onClose={() => props.onChange(false)} />}
      {children}
    </Popover>
  );
}
