import { type ReactNode, useId } from "react";
import classes from "./Section.module.css";

export interface SectionProps {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}

export function Section({ title, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.header}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {aside && <span className={classes.aside}>{aside}</span>}
      </div>
      {children}
    </section>
  );
}

export function Empty({ children }: { children: string }) {
  return <p className={classes.empty}>{children}</p>;
}
