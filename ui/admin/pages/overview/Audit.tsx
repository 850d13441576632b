import { Group, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PlainList } from "../../../parts/text/PlainList.tsx";
import { loadAdminPart } from "../../admin-part.ts";
import { AuditSentence } from "../../parts/AuditSentence.tsx";
import { type AuditEntry, isAboutSetting } from "../../parts/audit-entry.ts";
import { PageSection } from "../../parts/PageSection.tsx";

export interface AuditProps {
  entries: readonly AuditEntry[];
  clockAhead: number;
}

export function Audit({ entries, clockAhead }: AuditProps) {
  const { t } = useTranslation();
  useSettingTexts(entries.some(isAboutSetting));
  return (
    <PageSection level={2} title={t("audit.title")}>
      {entries.length === 0 && <Hint mt="md">{t("audit.empty")}</Hint>}
      <PlainList ordered divided>
        {entries.map((entry) => (
          <Group
            key={entry.id}
            component="li"
            align="baseline"
            justify="space-between"
            gap="0 var(--mantine-spacing-md)"
            fz="sm"
            lh={1.45}
          >
            <Text span inherit flex="1 1 16rem" miw={0}>
              <AuditSentence entry={entry} />
            </Text>
            <Hint span size="xs">
              {entry.origin === "desktop" && `${t("audit.atDesktop")} · `}
              <RelativeTime at={entry.at} clockAhead={clockAhead} />
            </Hint>
          </Group>
        ))}
      </PlainList>
    </PageSection>
  );
}

/** Loads the texts of the other pages, which Overview starts without. Until then, a setting shows its API name. */
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
