import { addTexts } from "../../locales/i18n.ts";
import { lazyPart } from "../../parts/lazy-part.ts";

const loadGerman = () => import("../../locales/de-channel-settings.ts").then((all) => all.channelSettingsTexts);

/** Loads its texts too. */
export const ChannelSettings = lazyPart(async () => {
  const [{ ChannelSettings }, { channelSettingsTexts }] = await Promise.all([
    import("./ChannelSettings.tsx"),
    import("../../locales/en-channel-settings.ts"),
  ]);
  await addTexts(channelSettingsTexts, loadGerman);
  return { default: ChannelSettings };
});
