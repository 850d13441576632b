import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Callout } from "../../../parts/Callout.tsx";
import { PageButton } from "../../parts/PageLink.tsx";

export function HttpsProposal({ onDismiss }: { onDismiss(): void }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="https-proposal">
      <Callout tone="info">
        <Text id="https-proposal" inherit fw="var(--hearth-bold)">
          {t("httpsProposal.title")}
        </Text>
        <Text inherit>{t("httpsProposal.text")}</Text>
        <Group gap="xs" mt="sm">
          <PageButton to="/network" search={{ open: "https" }}>
            {t("httpsProposal.open")}
          </PageButton>
          <Button variant="subtle" onClick={onDismiss}>
            {t("httpsProposal.dismiss")}
          </Button>
        </Group>
      </Callout>
    </section>
  );
}
