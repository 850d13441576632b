import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop, DesktopSettings } from "../../../../main/bridge-types.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import classes from "./DataFolder.module.css";

export interface DataFolderProps {
  desktop: Desktop;
  settings: DesktopSettings;
  /** True while the organization is being created in the folder. */
  disabled: boolean;
  onSettings(settings: DesktopSettings): void;
}

export function DataFolder({ desktop, settings, disabled, onSettings }: DataFolderProps) {
  const { t } = useTranslation();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  const change = async () => {
    if (disabled) return;
    setError(undefined);
    setBusy(true);
    try {
      const folder = await desktop.chooseDataFolder();
      if (!folder) return;
      const path = folder.path;
      if (folder.holds === "organization") setError(t("firstRun.folderTaken", { path }));
      else if (folder.holds === "other files") setError(t("firstRun.folderOtherFiles", { path }));
      // biome-ignore lint/correctness/useHookAtTopLevel: a call of the bridge, not a hook
      else onSettings(await desktop.useDataFolder());
    } catch (caught) {
      setError(errorMessage(caught));
    } finally {
      setBusy(false);
    }
  };

  return (
    <div>
      <div className={classes.folder}>
        <span className={classes.label}>{t("firstRun.folder")}</span>
        <bdi className={classes.path}>{settings.dataFolder}</bdi>
        <BusyButton
          variant="subtle"
          size="compact-sm"
          onClick={change}
          busy={busy}
          aria-label={t("firstRun.changeFolderNamed")}
        >
          {t("firstRun.changeFolder")}
        </BusyButton>
      </div>
      {settings.folderWarning && <Callout tone="warning">{t(`firstRun.${settings.folderWarning}`)}</Callout>}
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
    </div>
  );
}
