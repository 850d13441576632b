import { Button, Popover } from "@mantine/core";
import { ChevronDown } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import classes from "./FoldingLine.module.css";

export interface FoldingLineProps {
  /** The label of the button that opens them if the line is too short. */
  label: string;
  children: ReactNode;
}

/** Buttons in a line. If they do not fit, a single button opens them in a popover. */
export function FoldingLine({ label, children }: FoldingLineProps) {
  const room = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isFolded, setFolded] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const measure = () => setFolded((line.current?.offsetWidth ?? 0) > (room.current?.clientWidth ?? 0));
    measure();
    const observer = new ResizeObserver(measure);
    for (const { current } of [room, line]) if (current) observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <div className={classes.room} ref={room}>
      {/* Hidden, it still has its width. */}
      <div className={classes.line} ref={line} data-hidden={isFolded}>
        {children}
      </div>
      {isFolded && (
        <Popover
          opened={isOpen}
          onChange={(opened) => {
            setOpen(opened);
            if (!opened) opener.current?.focus();
          }}
          position="bottom-start"
          shadow="md"
          trapFocus
        >
          <Popover.Target>
            <Button
              ref={opener}
              size="compact-sm"
              variant="default"
              rightSection={<ChevronDown size="1rem" aria-hidden="true" />}
              onClick={() => setOpen(!isOpen)}
            >
              {label}
            </Button>
          </Popover.Target>
          {/* An action can open a dialog, which takes the focus. */}
          <Popover.Dropdown aria-label={label} className={classes.folded} onClick={() => setOpen(false)}>
            {children}
          </Popover.Dropdown>
        </Popover>
      )}
    </div>
  );
}
