import { type ReactNode, useEffect } from "react";
import { useOrganization } from "../admin-context.ts";
import classes from "./Page.module.css";

export interface PageProps {
  title: string;
  description?: string;
  /** Buttons next to the title. */
  actions?: ReactNode;
  width?: "wide" | "narrow";
  children: ReactNode;
}

/** The frame of an admin page. */
export function Page({ title, description, actions, width = "wide", children }: PageProps) {
  const organization = useOrganization(({ realm_name }) => realm_name ?? "");
  useEffect(() => {
    document.title = `${title} – ${organization}`;
  }, [title, organization]);
  return (
    <div className={classes.page} data-width={width}>
      <header className={classes.header}>
        <div className={classes.heading}>
          <h2 className={classes.title}>{title}</h2>
          {description && <p className={classes.description}>{description}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
