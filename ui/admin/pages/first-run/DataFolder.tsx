import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Desktop, DesktopSettings } from "../../../../main/bridge-types.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Note } from "../../../parts/Note.tsx";
import { inWords } from "../../../parts/refusals.ts";
import classes from "./DataFolder.module.css";

export interface DataFolderProps {
  desktop: Desktop;
  settings: DesktopSettings;
  /** While the organization is being made in it. */
  isSettled: boolean;
  onSettings(settings: DesktopSettings): void;
}

export function DataFolder({ desktop, settings, isSettled, onSettings }: DataFolderProps) {
  const { t } = useTranslation();
  const [trouble, setTrouble] = useState<string>();
  const [busy, setBusy] = useState(false);

  const change = async () => {
    if (isSettled) return;
    setTrouble(undefined);
    setBusy(true);
    try {
      const folder = await desktop.chooseDataFolder();
      if (!folder) return;
      const path = folder.path;
      if (folder.holds === "organization") setTrouble(t("firstRun.folderTaken", { path }));
      else if (folder.holds === "other files") setTrouble(t("firstRun.folderOtherFiles", { path }));
      // biome-ignore lint/correctness/useHookAtTopLevel: a call of the bridge, and no hook
      else onSettings(await desktop.useDataFolder());
    } catch (error) {
      setTrouble(inWords(error));
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
      {settings.folderWarning && <Note tone="warning">{t(`firstRun.${settings.folderWarning}`)}</Note>}
      {trouble && (
        <Note tone="error" role="alert">
          {trouble}
        </Note>
      )}
    </div>
  );
}
