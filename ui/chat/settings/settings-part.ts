import { addTexts, type LoadTexts } from "../../locales/i18n.ts";
import { lazyPart } from "../../parts/lazy-part.ts";
import { PageLoader } from "../../parts/PageLoader.tsx";

const loadTranslation: LoadTexts = (language) => import(`../../locales/${language}/bundles/own-settings.ts`);

/** Loads its texts too. */
export const SettingsPage = lazyPart(async () => {
  const [{ SettingsPage }, { ownSettingsTexts }, { userSettingTexts }] = await Promise.all([
    import("./SettingsPage.tsx"),
    import("../../locales/en/own-settings.ts"),
    import("../../../server/locales/en/user-settings.ts"),
  ]);
  await addTexts({ ...ownSettingsTexts, ...userSettingTexts }, loadTranslation);
  return { default: SettingsPage };
}, PageLoader);
