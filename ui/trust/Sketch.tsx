import classes from "./Sketch.module.css";

export interface SketchRow {
  /** A control of a system's dialog. `on` and `off` say how it looks. */
  kind: "text" | "field" | "link" | "button" | "radio-on" | "radio-off" | "check-on" | "switch-on";
  text: string;
  /** Whether the reader uses this control in this step. */
  isTarget?: boolean;
}

export interface SketchProps {
  frame: "window" | "phone";
  title: string;
  rows: readonly SketchRow[];
}

/** A simple drawing of a system's window or screen. Decorative, because its step says the same. */
export function Sketch({ frame, title, rows }: SketchProps) {
  return (
    <div className={classes.sketch} data-frame={frame} aria-hidden="true">
      <div className={classes.title}>{title}</div>
      {rows.map(({ kind, text, isTarget = false }) => (
        <div key={text} className={classes.row} data-kind={kind} data-target={isTarget}>
          <span className={classes.mark} />
          <span>{text}</span>
        </div>
      ))}
    </div>
  );
}
