import { useTranslation } from "react-i18next";
import type { Input } from "../../api/client.ts";
import { isLanguage, LANGUAGES, showLanguage, storeLanguage } from "../../locales/i18n.ts";
import { ChoiceSetting } from "../../parts/settings/settings.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { SettingsGroup } from "./SettingsGroup.tsx";

export function Preferences() {
  return (
    <>
      <SettingsGroup group="look">
        <Language />
        <TimeZone />
      </SettingsGroup>
      <SettingsGroup group="writing" />
      <SettingsGroup group="reading" />
      <SettingsGroup group="topics" />
    </>
  );
}

/** Applies to this browser, and to browsers in which no other language was chosen. */
function Language() {
  const { t, i18n } = useTranslation();
  const { chat } = useChat();
  const save = async (language: string) => {
    if (!isLanguage(language)) return;
    storeLanguage(language);
    await showLanguage(language);
    await chat.client.call("PATCH /settings", { default_language: language } as Input<"PATCH /settings">);
  };
  return (
    <ChoiceSetting
      label={t("ownSettings.language")}
      value={i18n.language}
      save={save}
      choices={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
    />
  );
}

function TimeZone() {
  const { t } = useTranslation();
  const { chat } = useChat();
  const zone = useChatState(({ user_settings }) => user_settings?.timezone ?? "");
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const others = new Set([zone, ...Intl.supportedValuesOf("timeZone")]);
  others.delete("");
  others.delete(here);
  const nameOf = (name: string) => name.replaceAll("_", " ");
  return (
    <ChoiceSetting
      label={t("ownSettings.timeZone.label")}
      help={t("ownSettings.timeZone.hint")}
      value={zone}
      save={(timezone) => chat.client.call("PATCH /settings", { timezone })}
      choices={[
        { value: "", label: t("ownSettings.timeZone.none") },
        { value: here, label: t("ownSettings.timeZone.here", { zone: nameOf(here) }) },
        ...[...others].sort().map((value) => ({ value, label: nameOf(value) })),
      ]}
    />
  );
}
