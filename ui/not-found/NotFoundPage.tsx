import { Anchor, Button } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { AuthLayout } from "../parts/AuthLayout.tsx";
import classes from "./NotFoundPage.module.css";

/** What a browser shows at an address where the server has nothing. */
export function NotFoundPage() {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = t("notFound.pageTitle");
  }, [t]);
  return (
    <AuthLayout title={t("notFound.title")} lead={t("notFound.lead")} audience="members">
      <nav className={classes.ways} aria-label={t("notFound.ways")}>
        <Button component="a" href="/" size="lg" fullWidth>
          {t("notFound.chat")}
        </Button>
        <Anchor href="/admin/">{t("notFound.administration")}</Anchor>
      </nav>
    </AuthLayout>
  );
}
