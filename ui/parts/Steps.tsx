import type { ReactNode } from "react";
import classes from "./Steps.module.css";

/** A numbered list of `li` elements that each begin with a heading. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className={classes.steps}>{children}</ol>;
}
