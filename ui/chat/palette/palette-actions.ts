import { useMantineColorScheme } from "@mantine/core";
import {
  CheckCheck,
  CircleHelp,
  Hash,
  LogOut,
  type LucideIcon,
  MessageCirclePlus,
  Monitor,
  Moon,
  Plus,
  Settings,
  Smile,
  Sun,
  UserPlus,
  UserRound,
  UsersRound,
  Wrench,
} from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { mayInvite } from "../../parts/allowed-invitations.ts";
import { folded } from "../../parts/folded.ts";
import { useSaveScheme } from "../Appearance.tsx";
import { useChat, useChatState } from "../chat-context.ts";
import { HELP_SECTIONS } from "../help/sections.ts";
import { mayCreateChannels } from "../model/permissions.ts";
import { rankOf } from "../model/search.ts";
import { isSomethingUnread } from "../model/unread.ts";
import type { OpenDialog } from "../page-state.ts";
import { useOpenCard } from "../people/open-card.ts";
import { useMarkRead } from "../reading/use-mark-read.ts";
import { addressOfSettings, SECTIONS } from "../settings/sections.ts";

/** Something to do or to set, found by its name or by everyday words for it. */
export interface PaletteAction {
  readonly key: string;
  readonly name: string;
  /** Other words for it, which are not shown. */
  readonly words: string;
  readonly icon: LucideIcon;
  run(): void;
}

const SCHEMES = [
  ["dark", Moon],
  ["light", Sun],
  ["auto", Monitor],
] as const;

/** What may be done from anywhere, in the order in which equally good hits are shown. */
export function usePaletteActions(): readonly PaletteAction[] {
  const { t } = useTranslation();
  const { chat, page, mayManage, signOut, signIn } = useChat();
  const openCard = useOpenCard();
  const saveScheme = useSaveScheme();
  const { setColorScheme } = useMantineColorScheme();
  const groups = useChatState(({ realm_user_groups }) => realm_user_groups);
  const invites = useChatState((state) => !chat.isSpectator && mayInvite(state));
  const hasUnread = useChatState(isSomethingUnread);
  const markRead = useMarkRead();
  const isCreator = useChatState((state) => !chat.isSpectator && mayCreateChannels(state));

  return useMemo(() => {
    const open = (dialog: OpenDialog) => () => page.update((before) => ({ ...before, dialog }));
    const lead = (address: string) => () => window.location.assign(address);
    const help = HELP_SECTIONS.map((section) => ({
      key: `help ${section}`,
      name: t(`help.titles.${section}`),
      words: `${t("help.title")} ${t(`search.actionWords.help.${section}`)}`,
      icon: CircleHelp,
      run: open({ kind: "help", section }),
    }));
    if (chat.isSpectator) {
      const signingIn = { key: "signIn", name: t("spectator.signIn"), words: "", icon: UserRound };
      return signIn ? [...help, { ...signingIn, run: signIn }] : help;
    }
    const action = (
      key: "newDirect" | "markRead" | "browse" | "newChannel" | "groups" | "status" | "invite" | "manage" | "signOut",
      name: string,
      icon: LucideIcon,
      run: () => void,
    ): PaletteAction => ({ key, name, words: t(`search.actionWords.${key}`), icon, run });
    return [
      action("newDirect", t("chat.newDirectMessage"), MessageCirclePlus, open({ kind: "newDirect" })),
      ...(hasUnread
        ? [action("markRead", t("chat.markEverythingRead"), CheckCheck, () => markRead({ kind: "everything" }))]
        : []),
      action("browse", t("chat.browseChannels"), Hash, open({ kind: "browse" })),
      ...(isCreator ? [action("newChannel", t("newChannel.title"), Plus, open({ kind: "newChannel" }))] : []),
      action("status", t("chatPeople.status.set"), Smile, () => openCard({ kind: "status" })),
      ...SECTIONS.map((section) => ({
        key: `settings ${section}`,
        name: `${t("ownSettingsNames.title")}: ${t(`ownSettingsNames.sections.${section}`)}`,
        words: t(`search.actionWords.settings.${section}`),
        icon: Settings,
        run: lead(addressOfSettings(section)),
      })),
      ...SCHEMES.map(([scheme, icon]) => ({
        key: `scheme ${scheme}`,
        name: `${t("scheme.label")}: ${t(`scheme.${scheme}`)}`,
        words: t("search.actionWords.scheme"),
        icon,
        run() {
          setColorScheme(scheme);
          saveScheme(scheme);
        },
      })),
      action("groups", t("chatPeople.groups"), UsersRound, open({ kind: "groups" })),
      ...(groups ?? [])
        .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
        .map(({ id, name }) => ({
          key: `group ${id}`,
          name,
          words: "",
          icon: UsersRound,
          run: () => openCard({ kind: "group", groupId: id }),
        })),
      ...help,
      ...(invites ? [action("invite", t("chat.invite"), UserPlus, lead("/admin/#/invitations?do=invite"))] : []),
      ...(mayManage ? [action("manage", t("chat.manage"), Wrench, lead("/admin/"))] : []),
      action("signOut", t("chat.signOut"), LogOut, signOut),
    ];
  }, [
    chat,
    page,
    mayManage,
    signOut,
    signIn,
    openCard,
    saveScheme,
    setColorScheme,
    groups,
    invites,
    isCreator,
    hasUnread,
    markRead,
    t,
  ]);
}

const MAX_ACTIONS = 6;

/** The actions whose name holds what is typed, and then those of which other words begin with each typed word. */
export function findActions(actions: readonly PaletteAction[], typed: string): PaletteAction[] {
  const words = folded(typed.trim());
  if (words === "" || /^[#@]/.test(words)) return [];
  const parts = words.split(/\s+/);
  const matches = ({ name, words: others }: PaletteAction) => {
    const known = folded(`${name} ${others}`).split(/[\s:,]+/);
    return parts.every((part) => known.some((word) => word.startsWith(part)));
  };
  return actions
    .map((action) => ({ action, rank: rankOf(action.name, words) }))
    .filter(({ action, rank }) => rank < 3 || matches(action))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_ACTIONS)
    .map(({ action }) => action);
}
