import { useRef } from "react";
import classes from "./Command.module.css";
import { CopyButton } from "./CopyButton.tsx";

/** A line for a terminal, with a button that copies it. */
export function Command({ children }: { children: string }) {
  const line = useRef<HTMLElement>(null);
  return (
    <div className={classes.command}>
      <code ref={line}>{children}</code>
      <CopyButton
        text={children}
        size="xs"
        variant="default"
        onFailed={() => line.current && window.getSelection()?.selectAllChildren(line.current)}
      />
    </div>
  );
}
