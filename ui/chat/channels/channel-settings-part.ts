import { addTexts, type LoadTexts } from "../../locales/i18n.ts";
import { lazyPart } from "../../parts/lazy-part.ts";

const loadTranslation: LoadTexts = (language) => import(`../../locales/${language}/bundles/channel-settings.ts`);

/** Loads its texts too. */
export const ChannelSettings = lazyPart(async () => {
  const [{ ChannelSettings }, { channelSettingsTexts }] = await Promise.all([
    import("./ChannelSettings.tsx"),
    import("../../locales/en-channel-settings.ts"),
  ]);
  await addTexts(channelSettingsTexts, loadTranslation);
  return { default: ChannelSettings };
});
