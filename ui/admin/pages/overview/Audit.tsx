import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { loadAdminPart } from "../../admin-part.ts";
import { AuditSentence } from "../../parts/AuditSentence.tsx";
import { type AuditEntry, isAboutSetting } from "../../parts/audit-entry.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import classes from "./Audit.module.css";
import { Empty } from "./Empty.tsx";

export interface AuditProps {
  entries: readonly AuditEntry[];
  clockAhead: number;
}

export function Audit({ entries, clockAhead }: AuditProps) {
  const { t } = useTranslation();
  useSettingTexts(entries.some(isAboutSetting));
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

/** Overview begins without the texts of the other pages: until they are there, a setting has its name for programs. */
function useSettingTexts(isNeeded: boolean): void {
  const [, setThere] = useState(false);
  useEffect(() => {
    if (!isNeeded) return;
    let isGone = false;
    void loadAdminPart(async () => {}).then(() => {
      if (!isGone) setThere(true);
    });
    return () => {
      isGone = true;
    };
  }, [isNeeded]);
}
