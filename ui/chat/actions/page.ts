import {
  Bot,
  CheckCheck,
  CircleHelp,
  Hash,
  LogOut,
  MessageCirclePlus,
  Plus,
  Settings,
  Smile,
  UserPlus,
  UsersRound,
  Wrench,
} from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import type { shortcutTexts } from "../../locales/en/shortcuts.ts";
import { mayInvite } from "../../parts/allowed-invitations.ts";
import { TOPIC_ID } from "../composer/field-ids.ts";
import { editLast } from "../feed/edit-last.ts";
import { focusNeighbourLink, scrollByPages, selectEnd, selectNeighbour } from "../feed/selection.ts";
import { channelsShown } from "../model/folded-folders.ts";
import type { Narrow, Place } from "../model/narrow.ts";
import { nextUnreadDirect, nextUnreadTopic } from "../model/next-unread.ts";
import { mayCreateChannels } from "../model/permissions.ts";
import { channelGroups } from "../model/selectors.ts";
import { isSomethingUnread } from "../model/unread.ts";
import type { OpenDialog } from "../page-state.ts";
import { addressOfSettings } from "../settings/sections.ts";
import { type Action, type ActionContext, type Shortcut, setPage } from "./action.ts";

export interface PageThing {
  /** The open narrow; undefined while a list is open. */
  readonly here: Narrow | undefined;
  readonly mayManage: boolean;
}

/** Mantine gives the button an id of its own. */
export const ACCOUNT_BUTTON = "[data-account]";

const isInNarrow = (_: State, { here }: PageThing): boolean => here !== undefined;

const open = (dialog: OpenDialog) => (context: ActionContext) => setPage(context, { dialog });

const opening = (href: string) => ({ href, run: () => window.location.assign(href) });

type KeyText = keyof (typeof shortcutTexts)["shortcuts"]["actions"];

/** An action that has only a key. */
const onKey = (
  id: KeyText,
  group: Shortcut["group"],
  keys: readonly string[],
  more: Pick<Action<PageThing>, "run" | "isAvailable" | "isPublic">,
): Action<PageThing> => ({ id, label: (t) => t(`shortcuts.actions.${id}`), shortcut: { keys, group }, ...more });

/** In the order of the help, the account menu and the palette. */
export const PAGE_ACTIONS: readonly Action<PageThing>[] = [
  onKey("search", "going", ["/"], { isPublic: true, run: open({ kind: "palette", mode: "search" }) }),
  onKey("palette", "going", ["Ctrl+k"], { isPublic: true, run: open({ kind: "palette", mode: "go" }) }),
  onKey("nextUnreadTopic", "going", ["n"], { run: (context, { here }) => goToUnreadTopic(context, here, false) }),
  onKey("nextUnreadFollowed", "going", ["N"], { run: (context, { here }) => goToUnreadTopic(context, here, true) }),
  onKey("nextUnreadDirect", "going", ["p"], {
    run: (context, { here }) =>
      goToUnread(
        context,
        nextUnreadDirect(context.chat.state.value ?? {}, here, (id) => context.chat.isSeen(id)),
      ),
  }),
  onKey("inbox", "going", ["I"], { run: ({ go }) => go({ page: "inbox" }) }),
  onKey("recent", "going", ["t"], { run: ({ go }) => go({ page: "recent" }) }),
  onKey("feed", "going", ["a"], { run: ({ go }) => go(placeOf({ kind: "feed" }), "messages") }),
  onKey("directs", "going", ["P"], { run: ({ go }) => go(placeOf({ kind: "directs" }), "messages") }),
  onKey("starred", "going", ["*"], { run: ({ go }) => go(placeOf({ kind: "starred" }), "messages") }),
  onKey("drafts", "going", ["d"], { run: ({ go }) => go({ page: "drafts" }) }),
  onKey("previousChannel", "going", ["A"], {
    isPublic: true,
    run: (context, thing) => goToChannel(context, thing, -1),
  }),
  onKey("nextChannel", "going", ["D"], { isPublic: true, run: (context, thing) => goToChannel(context, thing, 1) }),
  onKey("home", "going", ["Escape", "Ctrl+["], { isPublic: true, run: leave }),
  onKey("findChannel", "going", ["q"], { isPublic: true, run: open({ kind: "palette", mode: "go", text: "#" }) }),
  onKey("findPerson", "going", ["w"], { run: open({ kind: "palette", mode: "go", text: "@" }) }),
  onKey("account", "going", ["g"], { run: () => document.querySelector<HTMLElement>(ACCOUNT_BUTTON)?.click() }),
  onKey("nextMessage", "reading", ["ArrowDown", "j"], { isPublic: true, run: (_, { here }) => select(here, 1) }),
  onKey("previousMessage", "reading", ["ArrowUp", "k"], { isPublic: true, run: (_, { here }) => select(here, -1) }),
  onKey("pageDown", "reading", ["PageDown", "J", " "], {
    isPublic: true,
    isAvailable: isInNarrow,
    run: () => scrollByPages(1),
  }),
  onKey("pageUp", "reading", ["PageUp", "K"], {
    isPublic: true,
    isAvailable: isInNarrow,
    run: () => scrollByPages(-1),
  }),
  onKey("lastMessage", "reading", ["End", "G"], {
    isPublic: true,
    isAvailable: isInNarrow,
    run: () => selectEnd("last"),
  }),
  onKey("firstMessage", "reading", ["Home"], {
    isPublic: true,
    isAvailable: isInNarrow,
    run: () => selectEnd("first"),
  }),
  onKey("newTopic", "writing", ["c"], { run: startTopic }),
  onKey("editLast", "writing", ["ArrowLeft"], {
    isAvailable: isInNarrow,
    run: (context, { here }) => here && editLast(context, here, "messages", context.t("chat.editTooLate")),
  }),
  {
    id: "newDirect",
    label: (t) => t("chat.newDirectMessage"),
    icon: MessageCirclePlus,
    shortcut: { keys: ["x"], group: "writing" },
    shownIn: ["palette"],
    keywords: (t) => t("search.actionWords.newDirect"),
    run: open({ kind: "newDirect" }),
  },
  {
    id: "markEverythingRead",
    label: (t) => t("chat.markEverythingRead"),
    icon: CheckCheck,
    shownIn: ["menu", "palette"],
    keywords: (t) => t("search.actionWords.markRead"),
    isAvailable: isSomethingUnread,
    run: ({ markRead }) => markRead({ kind: "everything" }),
  },
  {
    id: "browse",
    label: (t) => t("chat.browseChannels"),
    icon: Hash,
    shownIn: ["palette"],
    keywords: (t) => t("search.actionWords.browse"),
    run: open({ kind: "browse" }),
  },
  {
    id: "newChannel",
    label: (t) => t("newChannel.title"),
    icon: Plus,
    shownIn: ["palette"],
    keywords: (t) => t("search.actionWords.newChannel"),
    isAvailable: mayCreateChannels,
    run: open({ kind: "newChannel" }),
  },
  {
    id: "status",
    label: (t) => t("chatPeople.status.set"),
    icon: Smile,
    shownIn: ["palette"],
    keywords: (t) => t("search.actionWords.status"),
    run: ({ openCard }) => openCard({ kind: "status" }),
  },
  {
    id: "settings",
    label: (t) => t("ownSettingsNames.title"),
    icon: Settings,
    shownIn: ["menu"],
    ...opening(addressOfSettings("profile")),
  },
  {
    id: "groups",
    label: (t) => t("chatPeople.groups"),
    icon: UsersRound,
    shownIn: ["palette"],
    keywords: (t) => t("search.actionWords.groups"),
    run: open({ kind: "groups" }),
  },
  {
    id: "help",
    label: (t) => t("help.title"),
    icon: CircleHelp,
    shortcut: { keys: ["?"], group: "going", help: (t) => t("shortcuts.actions.help") },
    shownIn: ["menu"],
    isPublic: true,
    run: open({ kind: "help", section: "keys" }),
  },
  {
    id: "invite",
    label: (t) => t("chat.invite"),
    icon: UserPlus,
    shownIn: ["menu", "palette"],
    keywords: (t) => t("search.actionWords.invite"),
    isAvailable: mayInvite,
    ...opening("/admin/#/invitations?do=invite"),
  },
  // Members have their bots on their own page.
  ...(["/own", "/bots"] as const).map(
    (path): Action<PageThing> => ({
      id: `bots ${path}`,
      label: (t) => t("chat.bots"),
      icon: Bot,
      shownIn: ["menu", "palette"],
      keywords: (t) => t("search.actionWords.bots"),
      isAvailable: ({ is_guest }, { mayManage }) => !is_guest && mayManage === (path === "/bots"),
      ...opening(`/admin/#${path}`),
    }),
  ),
  {
    id: "manage",
    label: (t) => t("chat.manage"),
    icon: Wrench,
    shownIn: ["menu", "palette"],
    keywords: (t) => t("search.actionWords.manage"),
    isAvailable: (_, { mayManage }) => mayManage,
    ...opening("/admin/"),
  },
  {
    id: "signOut",
    label: (t) => t("chat.signOut"),
    icon: LogOut,
    shownIn: ["menu", "palette"],
    keywords: (t) => t("search.actionWords.signOut"),
    isAvailable: () => !window.hearthChat, // the operator is always signed in
    run: ({ signOut }) => signOut(),
  },
];

const placeOf = (narrow: Narrow): Place => ({ page: "messages", narrow });

function goToUnread(context: ActionContext, narrow: Narrow | undefined): void {
  if (narrow) context.go(placeOf(narrow), "messages");
  else setPage(context, { notice: context.t("shortcuts.nothingUnread") });
}

function goToUnreadTopic(context: ActionContext, here: Narrow | undefined, onlyFollowed: boolean): void {
  const { chat } = context;
  goToUnread(context, nextUnreadTopic(chat.state.value ?? {}, here, { onlyFollowed, isSeen: (id) => chat.isSeen(id) }));
}

function goToChannel({ chat, go }: ActionContext, { here }: PageThing, step: 1 | -1): void {
  const openId = here && "channelId" in here ? here.channelId : undefined;
  const ids = channelGroups(chat.state.value ?? {})
    .flatMap((group) => channelsShown(group, chat.folded.store.value, openId))
    .map(({ stream_id }) => stream_id);
  const at = openId === undefined ? -1 : ids.indexOf(openId);
  const channelId = ids[(Math.max(at, step < 0 ? 0 : -1) + step + ids.length) % Math.max(1, ids.length)];
  if (channelId !== undefined) go(placeOf({ kind: "channel", channelId }), "messages");
}

/** Closes the form for moving messages, or a notice; else goes home. */
function leave(context: ActionContext): void {
  const { user_settings } = context.chat.state.value ?? {};
  const { move, notice } = context.page.value;
  if (move) setPage(context, { move: undefined });
  else if (notice !== undefined) setPage(context, { notice: undefined });
  else if (user_settings?.web_escape_navigates_to_home_view !== false)
    context.go(HOMES[user_settings?.web_home_view ?? ""] ?? { page: "inbox" });
}

const HOMES: Readonly<Record<string, Place>> = {
  recent_topics: { page: "recent" },
  all_messages: placeOf({ kind: "feed" }),
};

const select = (here: Narrow | undefined, step: 1 | -1): void =>
  here ? selectNeighbour(step) : focusNeighbourLink(step);

/** Starts a topic in the open channel. Elsewhere the person chooses the channel first. */
function startTopic(context: ActionContext, { here }: PageThing): void {
  if (here?.kind === "channel") document.getElementById(TOPIC_ID)?.focus();
  else if (here?.kind === "topic") context.go(placeOf({ kind: "channel", channelId: here.channelId }), "topic");
  else setPage(context, { dialog: { kind: "palette", mode: "go", text: "#" } });
}
