import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "./PersonDrawer.module.css";

export type Ends = Partial<Record<"bots" | "groups" | "invitations" | "sessions" | "scheduled", number>>;

/** What ends with a deactivation, in numbers. `children`: more items of the list. */
export function DeactivationEnds({ ends, children }: { ends: Ends; children?: ReactNode }) {
  const { t } = useTranslation();
  const kinds = (Object.keys(ends) as (keyof Ends)[]).filter((kind) => (ends[kind] ?? 0) > 0);
  if (kinds.length === 0 && !children) return null;
  return (
    <ul className={classes.consequences}>
      {kinds.map((kind) => (
        <li key={kind}>{t(`people.ends.${kind}`, { count: ends[kind] ?? 0 })}</li>
      ))}
      {children}
    </ul>
  );
}
