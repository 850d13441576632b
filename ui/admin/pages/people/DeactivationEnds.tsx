import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BulletList } from "../../parts/BulletList.tsx";

export type Ends = Partial<Record<"bots" | "groups" | "invitations" | "sessions" | "scheduled", number>>;

/** Counts what a deactivation ends. `children`: more list items. */
export function DeactivationEnds({ ends, children }: { ends: Ends; children?: ReactNode }) {
  const { t } = useTranslation();
  const kinds = (Object.keys(ends) as (keyof Ends)[]).filter((kind) => (ends[kind] ?? 0) > 0);
  if (kinds.length === 0 && !children) return null;
  return (
    <BulletList>
      {kinds.map((kind) => (
        <li key={kind}>{t(`people.ends.${kind}`, { count: ends[kind] ?? 0 })}</li>
      ))}
      {children}
    </BulletList>
  );
}
