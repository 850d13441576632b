import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Page } from "../parts/Page.tsx";

export function NoSuchPage() {
  const { t } = useTranslation();
  return (
    <Page title={t("shell.noSuchPage")} description={t("shell.noSuchPageHint")}>
      <Anchor href="#/">{t("nav.overview")}</Anchor>
    </Page>
  );
}
