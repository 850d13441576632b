import type { ReactNode } from "react";
import classes from "./EmptyState.module.css";

/** Where there is nothing yet: what could be here, and how to begin. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <p className={classes.title}>{title}</p>
      {children && <p className={classes.hint}>{children}</p>}
      {action}
    </div>
  );
}
