import type { ReactNode } from "react";
import classes from "./StatusText.module.css";

export type StatusTone = "good" | "warning" | "bad" | "quiet";

/** How something does, with a dot in its colour. The words alone say it too. */
export function StatusText({ tone, children }: { tone: StatusTone; children: ReactNode }) {
  return (
    <span className={classes.status} data-tone={tone}>
      <span className={classes.dot} aria-hidden="true" />
      <span>{children}</span>
    </span>
  );
}
