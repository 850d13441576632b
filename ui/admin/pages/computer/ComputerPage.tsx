import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Behavior, ChatIn, Desktop, DesktopSettings, KeepAwake } from "../../../../main/bridge-types.ts";
import { ChoiceSetting, SwitchSetting } from "../../../parts/settings/settings.tsx";
import { useAdmin } from "../../admin-context.ts";
import { Page } from "../../parts/Page.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { StartBeforeSignIn } from "./StartBeforeSignIn.tsx";
import { useDesktopSettings } from "./use-desktop-settings.ts";

/** How Hearth behaves on the computer that runs it. Only in the desktop app. */
export function ComputerPage() {
  const { t } = useTranslation();
  const { desktop } = useAdmin();
  const [settings, setSettings] = useDesktopSettings(desktop);
  return (
    <Page title={t("computer.title")} description={t("computer.lead")} width="narrow">
      {desktop && settings ? (
        <>
          <Always {...{ desktop, settings }} onSettings={setSettings} />
          <Chat {...{ desktop, settings }} onSettings={setSettings} />
          <StartBeforeSignIn desktop={desktop} />
        </>
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

const KEEP_AWAKE = ["never", "on power", "always"] as const satisfies readonly KeepAwake[];

interface PartProps {
  desktop: Desktop;
  settings: DesktopSettings;
  onSettings(settings: DesktopSettings): void;
}

function Always({ desktop, settings, onSettings }: PartProps) {
  const { t } = useTranslation();
  const save = async (change: Partial<Behavior>) => onSettings(await desktop.setBehavior(change));
  return (
    <PageSection title={t("computer.always")} description={t("computer.alwaysLead")}>
      <Stack gap="lg" maw="36rem">
        <SwitchSetting
          label={t("computer.startAtLogin")}
          help={t("computer.startAtLoginHelp")}
          value={settings.startAtLogin}
          save={(startAtLogin) => save({ startAtLogin })}
        />
        <SwitchSetting
          label={t("computer.closeToTray")}
          help={t(settings.hasTray ? "computer.closeToTrayHelp" : "computer.noTray")}
          disabled={!settings.hasTray}
          value={settings.closeToTray && settings.hasTray}
          save={(closeToTray) => save({ closeToTray })}
        />
        <ChoiceSetting
          label={t("computer.keepAwake")}
          help={t("computer.keepAwakeHelp")}
          choices={KEEP_AWAKE.map((value) => ({ value, label: t(`computer.awake.${value}`) }))}
          value={settings.keepAwake}
          save={(keepAwake) => save({ keepAwake })}
        />
      </Stack>
    </PageSection>
  );
}

const CHAT_IN = ["window", "browser"] as const satisfies readonly ChatIn[];

/** How the chat opens for the person at this computer. */
function Chat({ desktop, settings, onSettings }: PartProps) {
  const { t } = useTranslation();
  const save = async (change: Partial<Behavior>) => onSettings(await desktop.setBehavior(change));
  const isInWindow = settings.chatIn === "window";
  return (
    <PageSection title={t("computer.chat")} description={t("computer.chatLead")}>
      <Stack gap="lg" maw="36rem">
        <ChoiceSetting
          label={t("computer.chatIn")}
          help={t("computer.chatInHelp")}
          choices={CHAT_IN.map((value) => ({ value, label: t(`computer.chatPlaces.${value}`) }))}
          value={settings.chatIn}
          save={(chatIn) => save({ chatIn })}
        />
        <SwitchSetting
          label={t("computer.keepChat")}
          help={t(isInWindow ? "computer.keepChatHelp" : "computer.keepChatBrowser")}
          disabled={!isInWindow}
          value={settings.keepChat && isInWindow}
          save={(keepChat) => save({ keepChat })}
        />
      </Stack>
    </PageSection>
  );
}
