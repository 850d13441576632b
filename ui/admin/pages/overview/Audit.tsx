import { useTranslation } from "react-i18next";
import type { ServerState } from "../../../api/server-state.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import classes from "./Audit.module.css";
import { AuditSentence } from "./AuditSentence.tsx";
import { Empty, Section } from "./Section.tsx";

export interface AuditProps {
  entries: ServerState["audit"];
  clockAhead: number;
}

export function Audit({ entries, clockAhead }: AuditProps) {
  const { t } = useTranslation();
  return (
    <Section title={t("audit.title")}>
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
    </Section>
  );
}
