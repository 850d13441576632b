import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AuthLayout } from "../../../parts/AuthLayout.tsx";

export function NoAccess({ name, onSignOut }: { name: string; onSignOut(): void }) {
  const { t } = useTranslation();
  return (
    <AuthLayout title={t("keptOut.title", { name })} lead={t("keptOut.lead")}>
      <p>{t("keptOut.hint", { address: window.location.origin })}</p>
      <Button variant="default" onClick={onSignOut}>
        {t("keptOut.signOut")}
      </Button>
    </AuthLayout>
  );
}
