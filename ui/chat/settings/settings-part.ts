import { addTexts } from "../../locales/i18n.ts";
import { lazyPart } from "../../parts/lazy-part.ts";
import { PageLoader } from "../../parts/PageLoader.tsx";

const loadGerman = async () => {
  const [{ ownSettingsTexts }, { userSettingTexts }] = await Promise.all([
    import("../../locales/de/own-settings.ts"),
    import("../../../server/locales/de/user-settings.ts"),
  ]);
  return { ...ownSettingsTexts, ...userSettingTexts };
};

/** With the texts that the chat page does not begin with. */
export const SettingsPage = lazyPart(async () => {
  const [{ SettingsPage }, { ownSettingsTexts }, { userSettingTexts }] = await Promise.all([
    import("./SettingsPage.tsx"),
    import("../../locales/en/own-settings.ts"),
    import("../../../server/locales/en/user-settings.ts"),
  ]);
  await addTexts({ ...ownSettingsTexts, ...userSettingTexts }, loadGerman);
  return { default: SettingsPage };
}, PageLoader);
