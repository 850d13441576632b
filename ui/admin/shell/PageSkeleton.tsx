import { Skeleton } from "@mantine/core";
import classes from "./PageSkeleton.module.css";

const LINES = [0, 1, 2, 3, 4, 5];

/** The outline of a page while it loads. */
export function PageSkeleton() {
  return (
    <div className={classes.skeleton} aria-hidden="true">
      <Skeleton height="2rem" width="14rem" />
      <Skeleton height="1rem" width="24rem" maw="100%" />
      <div className={classes.lines}>
        {LINES.map((line) => (
          <Skeleton key={line} height="1.25rem" width={`${92 - 7 * line}%`} />
        ))}
      </div>
    </div>
  );
}
