import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { useStore } from "../../../api/store.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useAdmin, useOrganization } from "../../admin-context.ts";
import { PageSection } from "../../parts/PageSection.tsx";

/** Deactivates the organization. Only the operator can reactivate it. */
export function DeactivateOrganization() {
  const { t } = useTranslation();
  const client = useClient();
  const { server } = useAdmin();
  const name = useOrganization(({ realm_name }) => realm_name ?? "");
  const figures = useStore(server.followed, ({ state }) => state?.organization);
  const [isConfirming, setConfirming] = useState(false);
  return (
    <PageSection title={t("organization.deactivate.title")}>
      <Group justify="space-between" gap="sm">
        <Hint flex="1 1 20rem">{t("organization.deactivate.hint")}</Hint>
        <Button variant="default" color="red" onClick={() => setConfirming(true)}>
          {t("organization.deactivate.action")}
        </Button>
      </Group>
      {isConfirming && (
        <ConfirmDialog
          title={t("organization.deactivate.confirmTitle", { name })}
          confirmLabel={t("organization.deactivate.confirm")}
          typedName={name}
          onConfirm={() => client.call("POST /realm/deactivate", {})}
          onClose={() => setConfirming(false)}
        >
          {t("organization.deactivate.consequences", {
            count: figures?.people ?? 0,
            messages: figures?.messages ?? 0,
          })}
        </ConfirmDialog>
      )}
    </PageSection>
  );
}
