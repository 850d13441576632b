import { Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Desktop, DesktopSettings } from "../../../../main/bridge-types.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { Hint } from "../../../parts/text/Hint.tsx";

export interface DataFolderProps {
  desktop: Desktop;
  settings: DesktopSettings;
  /** True while the organization is being created in the folder. */
  disabled: boolean;
  onSettings(settings: DesktopSettings): void;
}

export function DataFolder({ desktop, settings, disabled, onSettings }: DataFolderProps) {
  const { t } = useTranslation();
  const choice = useMutation({
    mutationFn: async () => {
      const folder = await desktop.chooseDataFolder();
      if (!folder) return;
      const { path, holds } = folder;
      if (holds === "organization") throw new Error(t("firstRun.folderTaken", { path }));
      if (holds === "other files") throw new Error(t("firstRun.folderOtherFiles", { path }));
      // biome-ignore lint/correctness/useHookAtTopLevel: a call of the bridge, not a hook
      onSettings(await desktop.useDataFolder());
    },
  });
  return (
    <div>
      <Group wrap="nowrap" align="baseline" gap="xs" mb="xs" fz="sm">
        <Text span inherit fw="var(--hearth-semibold)" flex="none">
          {t("firstRun.folder")}
        </Text>
        <Hint span flex={1} miw={0}>
          <bdi>{settings.dataFolder}</bdi>
        </Hint>
        <BusyButton
          variant="subtle"
          size="compact-sm"
          onClick={() => disabled || choice.mutate()}
          busy={choice.isPending}
          aria-label={t("firstRun.changeFolderNamed")}
        >
          {t("firstRun.changeFolder")}
        </BusyButton>
      </Group>
      {settings.folderWarning && <Callout tone="warning">{t(`firstRun.${settings.folderWarning}`)}</Callout>}
      {choice.error && (
        <Callout tone="error" role="alert">
          {errorMessage(choice.error)}
        </Callout>
      )}
    </div>
  );
}
