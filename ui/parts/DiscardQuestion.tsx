import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Callout } from "./Callout.tsx";
import classes from "./DiscardQuestion.module.css";

/** Asks whether what was entered in a form is to be dropped. */
export function DiscardQuestion({ onDiscard, onStay }: { onDiscard(): void; onStay(): void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.whole}>
      <Callout tone="warning" role="alert">
        <p className={classes.question}>
          <strong>{t("dialog.discardTitle")}</strong> {t("dialog.discardHint")}
        </p>
        <Group gap="xs">
          <Button size="compact-sm" color="red" onClick={onDiscard}>
            {t("dialog.discard")}
          </Button>
          <Button size="compact-sm" variant="default" onClick={onStay} autoFocus>
            {t("dialog.goOn")}
          </Button>
        </Group>
      </Callout>
    </div>
  );
}
