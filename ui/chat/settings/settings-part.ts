import { addTexts } from "../../locales/i18n.ts";
import { lazyPart } from "../../parts/lazy-part.ts";
import { PageLoader } from "../../parts/PageLoader.tsx";

const loadGerman = () => import("../../locales/de/own-settings.ts").then((all) => all.ownSettingsTexts);

/** With the texts that the chat page does not begin with. */
export const SettingsPage = lazyPart(async () => {
  const [{ SettingsPage }, { ownSettingsTexts }] = await Promise.all([
    import("./SettingsPage.tsx"),
    import("../../locales/en/own-settings.ts"),
  ]);
  await addTexts(ownSettingsTexts, loadGerman);
  return { default: SettingsPage };
}, PageLoader);
