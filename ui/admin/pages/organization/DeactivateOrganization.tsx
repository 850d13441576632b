import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { useStore } from "../../../api/store.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { useAdmin, useOrganization } from "../../admin-context.ts";
import { PageSection } from "../../parts/PageSection.tsx";
import classes from "./OrganizationPage.module.css";

/** Keeps everybody out; taken back at the server's computer. */
export function DeactivateOrganization() {
  const { t } = useTranslation();
  const client = useClient();
  const { server } = useAdmin();
  const name = useOrganization(({ realm_name }) => realm_name ?? "");
  const figures = useStore(server.followed, ({ state }) => state?.organization);
  const [isAsking, setAsking] = useState(false);
  return (
    <PageSection title={t("organization.deactivate.title")}>
      <div className={classes.deactivate}>
        <p>{t("organization.deactivate.hint")}</p>
        <Button variant="default" color="red" onClick={() => setAsking(true)}>
          {t("organization.deactivate.action")}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t("organization.deactivate.confirmTitle", { name })}
          confirmLabel={t("organization.deactivate.confirm")}
          typedName={name}
          onConfirm={() => client.call("POST /realm/deactivate", {})}
          onClose={() => setAsking(false)}
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
