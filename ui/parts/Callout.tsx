import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./Callout.module.css";

export interface CalloutProps {
  tone: "info" | "warning" | "error";
  children: ReactNode;
  action?: ReactNode;
  /** `alert` interrupts a screen reader: for the result of what the user has just done. */
  role?: "status" | "alert";
}

const ICONS = { info: Info, warning: TriangleAlert, error: CircleAlert };

export function Callout({ tone, children, action, role }: CalloutProps) {
  const Icon = ICONS[tone];
  return (
    <div className={classes.callout} data-tone={tone} role={role}>
      <Icon size="1.125rem" aria-hidden="true" className={classes.icon} />
      <div className={classes.text}>{children}</div>
      {action}
    </div>
  );
}
