import { Box } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { ArchiveRestore, Flame, FolderOpen, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import { useClient } from "../../../api/client-context.ts";
import { askSession, type Session } from "../../../api/session.ts";
import { AuthLayout } from "../../../parts/AuthLayout.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import classes from "../../parts/choices.module.css";

export interface WelcomeProps {
  desktop: Desktop;
  onCreate(): void;
  onRestore(): void;
  onSession(session: Session): void;
}

export function Welcome({ desktop, onCreate, onRestore, onSession }: WelcomeProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [step, setStep] = useState<"choosing" | "opening">("choosing");
  const opening = useMutation({
    mutationFn: async () => {
      setStep("choosing");
      const folder = await desktop.chooseDataFolder();
      if (!folder) return;
      const { path, holds } = folder;
      if (holds === "nothing") throw new Error(t("welcome.nothingThere", { path }));
      if (holds !== "organization") throw new Error(t("welcome.otherFiles", { path }));
      setStep("opening");
      // biome-ignore lint/correctness/useHookAtTopLevel: a call of the bridge, not a hook
      await desktop.useDataFolder().catch((error: unknown) => {
        throw new Error(t("welcome.failed", { reason: errorMessage(error) }));
      });
      onSession(await askSession({ client, accepts: ({ setup }) => !setup }));
    },
  });
  const busy = opening.isPending;

  return (
    <AuthLayout title={t("welcome.title")} lead={t("welcome.lead")}>
      <Box className={classes.choices} mt="lg">
        <Choice
          isPrimary
          icon={Flame}
          label={t("welcome.create")}
          hint={t("welcome.createHint")}
          onClick={onCreate}
          isBusy={busy}
        />
        <Choice
          icon={FolderOpen}
          label={t("welcome.existing")}
          hint={busy ? t(`welcome.${step}`) : t("welcome.existingHint")}
          onClick={() => opening.mutate()}
          isBusy={busy}
        />
        <Choice
          icon={ArchiveRestore}
          label={t("restore.title")}
          hint={t("restore.choice")}
          onClick={onRestore}
          isBusy={busy}
        />
        {opening.error && (
          <Callout tone="error" role="alert">
            {errorMessage(opening.error)}
          </Callout>
        )}
      </Box>
    </AuthLayout>
  );
}

interface ChoiceProps {
  icon: LucideIcon;
  label: string;
  hint: string;
  isPrimary?: boolean;
  isBusy: boolean;
  onClick(): void;
}

function Choice({ icon: Icon, label, hint, isPrimary, isBusy, onClick }: ChoiceProps) {
  return (
    <button
      type="button"
      className={classes.choice}
      data-primary={isPrimary}
      onClick={isBusy ? undefined : onClick}
      aria-disabled={isBusy}
    >
      <Icon size="1.375rem" aria-hidden="true" />
      <span>
        <strong>{label}</strong>
        <small>{hint}</small>
      </span>
    </button>
  );
}
