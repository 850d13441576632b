import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AuthLayout } from "../../../parts/AuthLayout.tsx";

/** Shown to guests, who have no administration pages. */
export function NoAccess({ name, onSignOut }: { name: string; onSignOut(): void }) {
  const { t } = useTranslation();
  return (
    <AuthLayout title={t("noAccess.title", { name })} lead={t("noAccess.lead")}>
      <p>{t("noAccess.hint")}</p>
      <Group>
        <Button component="a" href="/">
          {t("noAccess.chat")}
        </Button>
        <Button variant="default" onClick={onSignOut}>
          {t("noAccess.signOut")}
        </Button>
      </Group>
    </AuthLayout>
  );
}
