import { type ReactNode, useId } from "react";
import classes from "./PageSection.module.css";

export interface PageSectionProps {
  title: string;
  description?: string | undefined;
  aside?: ReactNode;
  /** Of the title: 2 on a page without a title of its own, where the content also brings its own distances. */
  level?: 2 | 3;
  children: ReactNode;
}

/** A part of a page with a title of its own. */
export function PageSection({ title, description, aside, level = 3, children }: PageSectionProps) {
  const id = useId();
  const Title = `h${level}` as const;
  return (
    <section className={classes.section} data-level={level} aria-labelledby={id}>
      <div className={classes.header}>
        <Title id={id} className={classes.title}>
          {title}
        </Title>
        {aside && <span className={classes.aside}>{aside}</span>}
      </div>
      {description && <p className={classes.description}>{description}</p>}
      {children}
    </section>
  );
}
