import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Hint } from "../../../parts/text/Hint.tsx";
import { usePageSearch } from "../../page-search.ts";
import { PageButton } from "../../parts/PageLink.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import { CountList } from "./CountList.tsx";
import type { Import } from "./use-imports.ts";

/** The import that the user has just started. */
export function DoneImport({ written: { name, format, counts } }: { written: Import }) {
  const { t } = useTranslation();
  const [, setSearch] = usePageSearch();
  return (
    <>
      <PageSection title={t("moveIn.done", { format: t(`moveIn.formats.${format}`) })}>
        <StatusText tone="good">{t("moveIn.doneText", { name })}</StatusText>
        <CountList counts={counts} />
      </PageSection>
      <PageSection title={t("moveIn.next")} description={t("moveIn.nextLead")}>
        <Group gap="xs">
          <PageButton to="/people" search={{ status: "imported" }}>
            {t("moveIn.invite")}
          </PageButton>
          <PageButton to="/channels">{t("moveIn.lookAtChannels")}</PageButton>
          <Button variant="subtle" onClick={() => setSearch({ done: undefined })}>
            {t("moveIn.another")}
          </Button>
        </Group>
        <Hint isLead>{t("moveIn.doneRemove")}</Hint>
      </PageSection>
    </>
  );
}
