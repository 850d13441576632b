import { type ReactNode, useId } from "react";
import classes from "./PageSection.module.css";

/** A part of a page under a title of its own. */
export function PageSection({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section}>
      <h3 id={id} className={classes.title}>
        {title}
      </h3>
      {hint && <p className={classes.hint}>{hint}</p>}
      {children}
    </section>
  );
}
