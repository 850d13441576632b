import type { ReactNode } from "react";
import classes from "./StatusText.module.css";

export type StatusTone = "good" | "warning" | "bad" | "quiet";

/** A status with a coloured dot; the text alone says it too. */
export function StatusText({ tone, children }: { tone: StatusTone; children: ReactNode }) {
  return (
    <span className={classes.status} data-tone={tone}>
      <span className={classes.dot} aria-hidden="true" />
      <span>{children}</span>
    </span>
  );
}
