import { useMantineColorScheme } from "@mantine/core";
import { CircleHelp, type LucideIcon, Monitor, Moon, Settings, Sun, UserRound, UsersRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { folded } from "../../parts/folded.ts";
import { useSaveScheme } from "../Appearance.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { HELP_SECTIONS } from "../help/sections.ts";
import { rankOf } from "../model/search.ts";
import { useOpenCard } from "../people/open-card.ts";
import { addressOfSettings, SECTIONS } from "../settings/sections.ts";
import { CHANNEL_ACTIONS } from "./channel.ts";
import { PAGE_ACTIONS } from "./page.ts";
import { TOPIC_ACTIONS } from "./topic.ts";
import { type ShownAction, useActions } from "./use-actions.ts";

/** An entry of the palette that is not a place. */
export interface PaletteAction {
  readonly key: string;
  readonly name: string;
  /** The name of the topic or channel that it is for. */
  readonly of?: string | undefined;
  readonly keywords: string;
  readonly icon: LucideIcon | undefined;
  run(): void;
}

const SCHEMES = [
  ["dark", Moon],
  ["light", Sun],
  ["auto", Monitor],
] as const;

/** In the order in which equally good results are shown. */
export function usePaletteActions(): readonly PaletteAction[] {
  const { t } = useTranslation();
  const { chat, page, place, mayManage, signIn } = useChat();
  const openCard = useOpenCard();
  const saveScheme = useSaveScheme();
  const { setColorScheme } = useMantineColorScheme();
  const groups = useChatState(({ realm_user_groups }) => realm_user_groups);
  const here = place.page === "messages" ? place.narrow : undefined;
  const topic = here?.kind === "topic" ? here : undefined;
  const channelId = here && "channelId" in here ? here.channelId : undefined;
  const newest = topic && chat.feed(topic).store.value.messages.at(-1)?.id;
  const pageActions = useActions(PAGE_ACTIONS, "palette", { here, mayManage });
  const topicActions = useActions(TOPIC_ACTIONS, "palette", topic && { ...topic, messageId: newest });
  const channelActions = useActions(CHANNEL_ACTIONS, "palette", channelId === undefined ? undefined : { channelId });
  const channelName = useChatState(
    ({ subscriptions }) => subscriptions?.find(({ stream_id }) => stream_id === channelId)?.name,
  );

  const entry =
    (of?: string) =>
    ({ id, text, Icon, action, run }: ShownAction): PaletteAction => ({
      key: id,
      name: text,
      of,
      keywords: action.keywords?.(t) ?? "",
      icon: Icon,
      run,
    });
  const help = HELP_SECTIONS.map((section) => ({
    key: `help ${section}`,
    name: t(`help.titles.${section}`),
    keywords: `${t("help.title")} ${t(`search.actionWords.help.${section}`)}`,
    icon: CircleHelp,
    run: () => page.update((before) => ({ ...before, dialog: { kind: "help", section } })),
  }));
  if (chat.isSpectator) {
    const signingIn = { key: "signIn", name: t("spectator.signIn"), keywords: "", icon: UserRound };
    return signIn ? [...help, { ...signingIn, run: signIn }] : help;
  }
  return [
    ...pageActions.map(entry()),
    ...topicActions.map(entry(topic?.topic || t("chat.generalTopic"))),
    ...channelActions.map(entry(channelName)),
    ...SECTIONS.map((section) => ({
      key: `settings ${section}`,
      name: `${t("ownSettingsNames.title")}: ${t(`ownSettingsNames.sections.${section}`)}`,
      keywords: t(`search.actionWords.settings.${section}`),
      icon: Settings,
      run: () => window.location.assign(addressOfSettings(section)),
    })),
    ...SCHEMES.map(([scheme, icon]) => ({
      key: `scheme ${scheme}`,
      name: `${t("scheme.label")}: ${t(`scheme.${scheme}`)}`,
      keywords: t("search.actionWords.scheme"),
      icon,
      run() {
        setColorScheme(scheme);
        saveScheme(scheme);
      },
    })),
    ...(groups ?? [])
      .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
      .map(({ id, name }) => ({
        key: `group ${id}`,
        name,
        keywords: "",
        icon: UsersRound,
        run: () => openCard({ kind: "group", groupId: id }),
      })),
    ...help,
  ];
}

const MAX_ACTIONS = 6;

/** The actions whose name contains the typed text, then those with words that begin with each typed word. */
export function findActions(actions: readonly PaletteAction[], typed: string): PaletteAction[] {
  const text = folded(typed.trim());
  if (text === "" || /^[#@]/.test(text)) return [];
  const parts = text.split(/\s+/);
  const hasWords = ({ name, keywords }: PaletteAction) => {
    const words = folded(`${name} ${keywords}`).split(/[\s:,]+/);
    return parts.every((part) => words.some((word) => word.startsWith(part)));
  };
  return actions
    .map((action) => ({ action, rank: rankOf(action.name, text) }))
    .filter(({ action, rank }) => rank < 3 || hasWords(action))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_ACTIONS)
    .map(({ action }) => action);
}
