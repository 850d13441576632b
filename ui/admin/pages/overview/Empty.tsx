import classes from "./Empty.module.css";

/** What a part of Overview says where it has nothing to show. */
export function Empty({ children }: { children: string }) {
  return <p className={classes.empty}>{children}</p>;
}
