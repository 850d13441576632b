import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { useCallback, useEffect, useRef } from "react";
import { chosenLanguage, isLanguage, showLanguage } from "../locales/i18n.ts";
import { showTwentyFourHours } from "../parts/format.ts";
import { useChat, useChatState } from "./chat-context.ts";

/** color_scheme: docs/protocol.md#user-settings */
const SCHEMES: Readonly<Record<number, MantineColorScheme>> = { 1: "auto", 2: "dark", 3: "light" };
const USUAL_SIZE = 16;

/** Applies the user settings for theme, text size, language and time format. */
export function Appearance() {
  const scheme = useChatState(({ user_settings }) => SCHEMES[user_settings?.color_scheme ?? 1]);
  const size = useChatState(({ user_settings }) => user_settings?.web_font_size_px ?? USUAL_SIZE);
  const language = useChatState(({ user_settings }) => user_settings?.default_language);
  const isTwentyFour = useChatState(({ user_settings }) => user_settings?.twenty_four_hour_time ?? false);
  const { setColorScheme } = useMantineColorScheme();
  showTwentyFourHours(isTwentyFour); // before the components below render

  const appliedScheme = useRef<MantineColorScheme>("auto"); // a theme that only this browser has stays until one is saved
  useEffect(() => {
    if (!scheme || scheme === appliedScheme.current) return;
    appliedScheme.current = scheme;
    setColorScheme(scheme);
  }, [scheme, setColorScheme]);
  // English is the default, so only another language or a change is a choice.
  const applied = useRef<string | undefined>(chosenLanguage() ? language : "en");
  useEffect(() => {
    if (language === applied.current) return;
    applied.current = language;
    if (isLanguage(language)) showLanguage(language).catch(() => {}); // the loaded texts stay
  }, [language]);
  useEffect(() => {
    const { style } = document.documentElement;
    style.fontSize = size === USUAL_SIZE ? "" : `${(100 * size) / USUAL_SIZE}%`;
    return () => {
      style.fontSize = "";
    };
  }, [size]);
  return null;
}

/** Saves the theme of this browser for all of the user's browsers. */
export function useSaveScheme(): (scheme: MantineColorScheme) => void {
  const { chat } = useChat();
  return useCallback(
    (chosen) => {
      const [value] = Object.entries(SCHEMES).find(([, scheme]) => scheme === chosen) ?? [];
      chat.client.call("PATCH /settings", { color_scheme: Number(value) as 1 }).catch(() => {}); // it applies here
    },
    [chat],
  );
}
