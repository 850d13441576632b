import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AuthLayout } from "./AuthLayout.tsx";
import { Callout } from "./Callout.tsx";
import classes from "./ErrorPage.module.css";
import { errorMessage } from "./error-messages.ts";

export interface ErrorPageProps {
  title: string;
  error: unknown;
  onTryAgain(): void;
}

/** Replaces a page whose data the server did not deliver, and offers to try again. */
export function ErrorPage({ title, error, onTryAgain }: ErrorPageProps) {
  const { t } = useTranslation();
  return (
    <AuthLayout title={title} audience="members">
      <div className={classes.error}>
        <Callout tone="error" role="alert">
          {errorMessage(error)}
        </Callout>
        <Button variant="default" onClick={onTryAgain}>
          {t("app.tryAgain")}
        </Button>
      </div>
    </AuthLayout>
  );
}
