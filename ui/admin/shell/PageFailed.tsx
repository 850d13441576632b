import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Page } from "../parts/Page.tsx";

/** Replaces a page that threw. The navigation still works. */
export function PageFailed() {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <Page title={t("app.failed")} description={t("shell.failedHint")}>
        <div>
          <Button onClick={() => window.location.reload()}>{t("app.reload")}</Button>
        </div>
      </Page>
    </div>
  );
}
