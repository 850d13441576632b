import { type ReactNode, useId } from "react";
import classes from "./PageSection.module.css";

export interface PageSectionProps {
  title: string;
  description?: string;
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a title of its own. */
export function PageSection({ title, description, aside, children }: PageSectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.header}>
        <h3 id={id} className={classes.title}>
          {title}
        </h3>
        {aside && <span className={classes.aside}>{aside}</span>}
      </div>
      {description && <p className={classes.description}>{description}</p>}
      {children}
    </section>
  );
}
