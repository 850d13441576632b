import { useTranslation } from "react-i18next";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { AuditSentence } from "../../parts/AuditSentence.tsx";
import type { AuditEntry } from "../../parts/audit-sentences.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import classes from "./Audit.module.css";
import { Empty } from "./Empty.tsx";

export interface AuditProps {
  entries: readonly AuditEntry[];
  clockAhead: number;
}

export function Audit({ entries, clockAhead }: AuditProps) {
  const { t } = useTranslation();
  return (
    <PageSection level={2} title={t("audit.title")}>
      {entries.length === 0 && <Empty>{t("audit.empty")}</Empty>}
      <ol className={classes.entries}>
        {entries.map((entry) => (
          <li key={entry.id} className={classes.entry}>
            <span className={classes.sentence}>
              <AuditSentence entry={entry} />
            </span>
            <span className={classes.when}>
              {entry.origin === "desktop" && <span>{t("audit.atDesktop")}</span>}
              <RelativeTime at={entry.at} clockAhead={clockAhead} />
            </span>
          </li>
        ))}
      </ol>
    </PageSection>
  );
}
