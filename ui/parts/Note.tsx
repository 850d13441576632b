import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./Note.module.css";

export interface NoteProps {
  tone: "info" | "warning" | "error";
  children: ReactNode;
  action?: ReactNode;
  /** `alert` interrupts a screen reader: for what the reader has just caused. */
  role?: "status" | "alert";
}

const ICONS = { info: Info, warning: TriangleAlert, error: CircleAlert };

export function Note({ tone, children, action, role }: NoteProps) {
  const Icon = ICONS[tone];
  return (
    <div className={classes.note} data-tone={tone} role={role}>
      <Icon size="1.125rem" aria-hidden="true" className={classes.icon} />
      <div className={classes.text}>{children}</div>
      {action}
    </div>
  );
}
