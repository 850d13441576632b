import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AuthLayout } from "./AuthLayout.tsx";
import { Note } from "./Note.tsx";
import { inWords } from "./refusals.ts";
import classes from "./Unopened.module.css";

export interface UnopenedProps {
  title: string;
  error: unknown;
  onTryAgain(): void;
}

/** In the place of what a link leads to, where the server did not say what that is. */
export function Unopened({ title, error, onTryAgain }: UnopenedProps) {
  const { t } = useTranslation();
  return (
    <AuthLayout title={title} readers="guests">
      <div className={classes.trouble}>
        <Note tone="error" role="alert">
          {inWords(error)}
        </Note>
        <Button variant="default" onClick={onTryAgain}>
          {t("app.tryAgain")}
        </Button>
      </div>
    </AuthLayout>
  );
}
