import { Box, Button, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AuthLayout } from "./AuthLayout.tsx";
import { Callout } from "./Callout.tsx";
import { errorMessage } from "./error-messages.ts";

export interface ErrorPageProps {
  title: string;
  error: unknown;
  onTryAgain(): void;
}

/** Replaces a page whose data failed to load. */
export function ErrorPage({ title, error, onTryAgain }: ErrorPageProps) {
  const { t } = useTranslation();
  return (
    <AuthLayout title={title} audience="members">
      <Stack align="start" mt="lg">
        <Box w="100%">
          <Callout tone="error" role="alert">
            {errorMessage(error)}
          </Callout>
        </Box>
        <Button variant="default" onClick={onTryAgain}>
          {t("app.tryAgain")}
        </Button>
      </Stack>
    </AuthLayout>
  );
}
