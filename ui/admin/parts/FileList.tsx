import type { ReactNode } from "react";
import classes from "./FileList.module.css";

/** Files that the server made, such as backups: of each a FileRow. */
export function FileList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

/** `children`: what is in it; `tools`: what can be done with it. */
export function FileRow({ title, tools, children }: { title: ReactNode; tools: ReactNode; children: ReactNode }) {
  return (
    <li className={classes.row}>
      <div className={classes.about}>
        <strong>{title}</strong>
        {children}
      </div>
      <div className={classes.tools}>{tools}</div>
    </li>
  );
}

export function Hint({ children }: { children: ReactNode }) {
  return <p className={classes.hint}>{children}</p>;
}
