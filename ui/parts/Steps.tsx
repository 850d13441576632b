import type { ReactNode } from "react";
import classes from "./Steps.module.css";

/** Things to do one after the other: `li` elements, each with its heading first. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className={classes.steps}>{children}</ol>;
}
