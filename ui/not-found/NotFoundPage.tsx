import { Anchor, Button, Stack } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { AuthLayout } from "../parts/AuthLayout.tsx";

/** The page for unknown URLs. */
export function NotFoundPage() {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = t("notFound.pageTitle");
  }, [t]);
  return (
    <AuthLayout title={t("notFound.title")} lead={t("notFound.lead")} audience="members">
      <Stack component="nav" align="start" mt="lg" aria-label={t("notFound.ways")}>
        <Button component="a" href="/" size="lg" fullWidth>
          {t("notFound.chat")}
        </Button>
        <Anchor href="/admin/">{t("notFound.administration")}</Anchor>
      </Stack>
    </AuthLayout>
  );
}
