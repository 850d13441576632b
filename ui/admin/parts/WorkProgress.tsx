import { Progress } from "@mantine/core";
import classes from "./WorkProgress.module.css";

export interface WorkProgressProps {
  /** What is being done. */
  label: string;
  done: number;
  /** 0: not known yet. */
  total: number;
  /** In place of the label below the bar. */
  text?: string | undefined;
}

/** How far something is. The figures change all the time, and are not read out. */
export function WorkProgress({ label, done, total, text = label }: WorkProgressProps) {
  return (
    <div className={classes.work}>
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={label} />
      <p className={classes.text} aria-hidden="true">
        {text}
      </p>
    </div>
  );
}
