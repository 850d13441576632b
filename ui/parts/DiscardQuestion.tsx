import { Box, Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Callout } from "./Callout.tsx";

/** Asks whether to discard the input of a form. */
export function DiscardQuestion({ onDiscard, onStay }: { onDiscard(): void; onStay(): void }) {
  const { t } = useTranslation();
  return (
    <Box w="100%">
      <Callout tone="warning" role="alert">
        <Text inherit mb="xs">
          <strong>{t("dialog.discardTitle")}</strong> {t("dialog.discardHint")}
        </Text>
        <Group gap="xs" justify="end">
          <Button size="compact-sm" variant="default" onClick={onStay} autoFocus>
            {t("dialog.goOn")}
          </Button>
          <Button size="compact-sm" color="red" onClick={onDiscard}>
            {t("dialog.discard")}
          </Button>
        </Group>
      </Callout>
    </Box>
  );
}
