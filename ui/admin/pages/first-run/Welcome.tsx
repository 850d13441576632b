import { ArchiveRestore, Flame, FolderOpen, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop } from "../../../../main/bridge-types.ts";
import { useClient } from "../../../api/client-context.ts";
import { askSession, type Session } from "../../../api/session.ts";
import { AuthLayout } from "../../../parts/AuthLayout.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import classes from "./Welcome.module.css";

export interface WelcomeProps {
  desktop: Desktop;
  onCreate(): void;
  onRestore(): void;
  onSession(session: Session): void;
}

export function Welcome({ desktop, onCreate, onRestore, onSession }: WelcomeProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [busy, setBusy] = useState<"choosing" | "opening">();
  const [error, setError] = useState<string>();

  const openExisting = async () => {
    setError(undefined);
    setBusy("choosing");
    try {
      const folder = await desktop.chooseDataFolder();
      if (!folder) return;
      if (folder.holds !== "organization") {
        const path = folder.path;
        return setError(
          folder.holds === "nothing" ? t("welcome.nothingThere", { path }) : t("welcome.otherFiles", { path }),
        );
      }
      setBusy("opening");
      // biome-ignore lint/correctness/useHookAtTopLevel: a call of the bridge, not a hook
      await desktop.useDataFolder();
      onSession(await askSession({ client, accepts: ({ setup }) => !setup }));
    } catch (caught) {
      setError(t("welcome.failed", { reason: errorMessage(caught) }));
    } finally {
      setBusy(undefined);
    }
  };

  return (
    <AuthLayout title={t("welcome.title")} lead={t("welcome.lead")}>
      <div className={classes.choices}>
        <Choice
          isPrimary
          icon={Flame}
          label={t("welcome.create")}
          hint={t("welcome.createHint")}
          onClick={onCreate}
          isBusy={Boolean(busy)}
        />
        <Choice
          icon={FolderOpen}
          label={t("welcome.existing")}
          hint={busy ? t(`welcome.${busy}`) : t("welcome.existingHint")}
          onClick={openExisting}
          isBusy={Boolean(busy)}
        />
        <Choice
          icon={ArchiveRestore}
          label={t("restore.title")}
          hint={t("restore.choice")}
          onClick={onRestore}
          isBusy={Boolean(busy)}
        />
        {error && (
          <Callout tone="error" role="alert">
            {error}
          </Callout>
        )}
      </div>
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
