import { addTexts } from "../../locales/i18n.ts";
import { lazyPart } from "../../parts/lazy-part.ts";
import { PageLoader } from "../../parts/PageLoader.tsx";

const loadGerman = async () => {
  const [{ ownSettingsTexts }, { userSettingTexts }] = await Promise.all([
    import("../../locales/de/own-settings.ts"),
    import("../../locales/de/user-settings.ts"),
  ]);
  return { ...ownSettingsTexts, ...userSettingTexts };
};

/** Loads its texts too. */
export const SettingsPage = lazyPart(async () => {
  const [{ SettingsPage }, { ownSettingsTexts }, { userSettingTexts }] = await Promise.all([
    import("./SettingsPage.tsx"),
    import("../../locales/en/own-settings.ts"),
    import("../../locales/en/user-settings.ts"),
  ]);
  await addTexts({ ...ownSettingsTexts, ...userSettingTexts }, loadGerman);
  return { default: SettingsPage };
}, PageLoader);
