import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "../../parts/copy-text.ts";
import { type ChatContext, useAttempt, useChat } from "../chat-context.ts";
import { editLast } from "../feed/edit-last.ts";
import {
  markUnreadFrom,
  messageAddress,
  startEditing,
  THUMBS_UP,
  toggleCollapsed,
  toggleReaction,
  toggleStar,
} from "../feed/message-actions.ts";
import {
  firstPicture,
  focusNeighbourLink,
  scrollByPages,
  selectEnd,
  selectedMessageId,
  selectNeighbour,
} from "../feed/selection.ts";
import { TOPIC_ID, useQuote, useReply } from "../feed/use-quote.ts";
import { conversationOf, type Message } from "../model/feed-state.ts";
import { channelsShown } from "../model/folded-folders.ts";
import { isConversation, type ListPage, type Narrow, narrowKey, type Place } from "../model/narrow.ts";
import { nextUnreadDirect, nextUnreadTopic } from "../model/next-unread.ts";
import { channelGroups, personById } from "../model/selectors.ts";
import { isTopicMuted, POLICY } from "../model/topic-policies.ts";
import { type OpenCard, useOpenCard } from "../people/open-card.ts";
import { ACCOUNT_BUTTON } from "../sidebar/AccountMenu.tsx";
import { type Action, actionOf, SHORTCUTS } from "./shortcuts.ts";

/** These work while one types, too. */
const EVERYWHERE: readonly Action[] = ["palette"];
/** Where Enter, Space and the arrows belong to what has the focus. */
const OWN_KEYS = "a, button, summary, [role=button], [role=option], [role=menuitem], video, audio";
const LEFT_TO_CONTROLS: readonly string[] = ["Enter", " "];

/** What those do who read without an account. */
const READING: ReadonlySet<Action> = new Set([
  ...SHORTCUTS.filter(({ group }) => group === "reading").map(({ action }) => action),
  ...(["search", "palette", "findChannel", "previousChannel", "nextChannel", "home", "help"] as const),
]);

/** Carries out the keys of keyboard/shortcuts.ts on what is open. */
export function useShortcuts(): void {
  const context = useChat();
  const { t } = useTranslation();
  const openCard = useOpenCard();
  const attempt = useAttempt();
  const reply = useReply();
  const quote = useQuote();

  const isOthers = useRef(false);

  // A dialog has the keys from when it is seen, though the focus comes to it a moment later; a menu, while it has the
  // focus. Escape closes them before the key arrives below, so they are looked for first: in a listener that is older.
  useEffect(() => {
    const look = ({ target }: KeyboardEvent) => {
      isOthers.current =
        document.querySelector("[role=dialog][aria-modal=true]") !== null ||
        (target as Element).closest("[role=dialog], [role=menu]") !== null;
    };
    window.addEventListener("keydown", look, { capture: true });
    return () => window.removeEventListener("keydown", look, { capture: true });
  }, []);

  useEffect(() => {
    const said = { notFound: t("shortcuts.nothingUnread"), tooLate: t("chat.editTooLate") };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || context.page.value.dialog) return;
      if (isOthers.current) return;
      const action = actionOf(event);
      if (!action || (context.chat.isSpectator && !READING.has(action))) return;
      const target = event.target as HTMLElement;
      const isTyping = target.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");
      if (isTyping && !EVERYWHERE.includes(action)) return;
      if (LEFT_TO_CONTROLS.includes(event.key) && target.matches(OWN_KEYS)) return;
      const work = run(action, context, { openCard, attempt, reply, quote, ...said });
      if (work) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [context, openCard, attempt, reply, quote, t]);
}

interface Tools {
  openCard(card: OpenCard): void;
  attempt(work: Promise<unknown>): void;
  reply(message: Message): void;
  quote(message: Message): Promise<void>;
  /** Said where nothing is unread, and where a message may not be edited any more. */
  notFound: string;
  tooLate: string;
}

const listPage = (page: ListPage): Place => ({ page });
const inMessages = (narrow: Narrow, near?: number): Place => ({ page: "messages", narrow, near });

/** Whether the action had something to do; otherwise the key is the browser's. */
function run(action: Action, context: ChatContext, tools: Tools): boolean {
  const { chat, place, page, go } = context;
  const state = chat.state.value ?? {};
  const here = place.page === "messages" ? place.narrow : undefined;
  const set = (change: Partial<typeof page.value>) => page.update((before) => ({ ...before, ...change }));
  const isSeen = (id: number) => chat.isSeen(id);
  const read = (narrow: Narrow | undefined): boolean => {
    if (narrow) go(inMessages(narrow), "messages");
    else set({ notice: tools.notFound });
    return true;
  };

  switch (action) {
    case "search":
      set({ dialog: { kind: "palette", mode: "search" } });
      return true;
    case "palette":
      set({ dialog: { kind: "palette", mode: "go" } });
      return true;
    case "findChannel":
    case "findPerson":
      set({ dialog: { kind: "palette", mode: "go", text: action === "findChannel" ? "#" : "@" } });
      return true;
    case "account":
      document.querySelector<HTMLElement>(ACCOUNT_BUTTON)?.click();
      return true;
    case "help":
      set({ dialog: { kind: "help", section: "keys" } });
      return true;
    case "newDirect":
      set({ dialog: { kind: "newDirect" } });
      return true;
    case "nextUnreadTopic":
      return read(nextUnreadTopic(state, here, { isSeen }));
    case "nextUnreadFollowed":
      return read(nextUnreadTopic(state, here, { onlyFollowed: true, isSeen }));
    case "nextUnreadDirect":
      return read(nextUnreadDirect(state, here, isSeen));
    case "inbox":
    case "recent":
    case "drafts":
      go(listPage(action));
      return true;
    case "feed":
    case "directs":
    case "starred":
      return read({ kind: action });
    case "home":
      if (page.value.move) set({ move: undefined });
      else if (page.value.notice !== undefined) set({ notice: undefined });
      else if (state.user_settings?.web_escape_navigates_to_home_view !== false) go(homeOf(state));
      return true;
    case "previousChannel":
    case "nextChannel": {
      const openId = here && "channelId" in here ? here.channelId : undefined;
      const ids = channelGroups(state)
        .flatMap((group) => channelsShown(group, chat.folded.store.value, openId))
        .map(({ stream_id }) => stream_id);
      const at = openId === undefined ? -1 : ids.indexOf(openId);
      const step = action === "nextChannel" ? 1 : -1;
      const channelId = ids[(Math.max(at, step < 0 ? 0 : -1) + step + ids.length) % Math.max(1, ids.length)];
      return channelId === undefined ? false : read({ kind: "channel", channelId });
    }
    case "nextMessage":
    case "previousMessage":
      if (here) selectNeighbour(action === "nextMessage" ? 1 : -1);
      else focusNeighbourLink(action === "nextMessage" ? 1 : -1);
      return true;
    case "pageDown":
    case "pageUp":
      if (!here) return false;
      scrollByPages(action === "pageDown" ? 1 : -1);
      return true;
    case "firstMessage":
    case "lastMessage":
      if (!here) return false;
      selectEnd(action === "firstMessage" ? "first" : "last");
      return true;
    case "newTopic":
      return newTopic(context, here);
    case "editLast":
      return here ? editLast(context, here, "messages", tools.tooLate) : false;
    default:
      return here ? runOnMessage(action, context, tools, here) : false;
  }
}

/** Begins a topic in the open channel; elsewhere the channel is chosen first. */
function newTopic({ page, go }: ChatContext, here: Narrow | undefined): boolean {
  if (here?.kind === "channel") document.getElementById(TOPIC_ID)?.focus();
  else if (here?.kind === "topic") go(inMessages({ kind: "channel", channelId: here.channelId }), "topic");
  else page.update((before) => ({ ...before, dialog: { kind: "palette", mode: "go", text: "#" } }));
  return true;
}

function homeOf({ user_settings }: { user_settings?: { web_home_view?: string } }): Place {
  if (user_settings?.web_home_view === "recent_topics") return listPage("recent");
  return user_settings?.web_home_view === "all_messages" ? inMessages({ kind: "feed" }) : listPage("inbox");
}

function runOnMessage(action: Action, context: ChatContext, tools: Tools, here: Narrow): boolean {
  const { chat, page, go } = context;
  const id = selectedMessageId();
  const found = chat.feed(here).store.value.messages.find((one) => one.id === id);
  if (!found) return false;
  const message = chat.pending.shown(found);
  const { attempt, reply, quote } = tools;
  const conversation = conversationOf(message, chat.userId);
  const set = (change: Partial<typeof page.value>) => page.update((before) => ({ ...before, ...change }));

  switch (action) {
    case "reply":
      reply(message);
      return true;
    case "quote":
      attempt(quote(message));
      return true;
    case "replyDirectly":
      go(inMessages({ kind: "direct", userIds: [message.sender_id] }), "composer");
      return true;
    case "replyMentioning": {
      const name = personById(chat.state.value ?? {}, message.sender_id)?.full_name ?? message.sender_full_name;
      set({ insertion: `@**${name}|${message.sender_id}** ` });
      reply(message);
      return true;
    }
    case "toggleNarrow": {
      const isOpen = isConversation(here) && narrowKey(conversation) === narrowKey(here);
      if (!isOpen) go(inMessages(conversation, message.id), "messages");
      else if (conversation.kind === "topic")
        go(inMessages({ kind: "channel", channelId: conversation.channelId }, message.id), "messages");
      return true;
    }
    case "inConversation":
      go(inMessages(conversation, message.id), "messages");
      return true;
    case "edit":
      if (message.sender_id === chat.userId) startEditing(context, message, "messages", tools.tooLate);
      return true;
    case "star":
      attempt(toggleStar(chat, message));
      return true;
    case "thumbsUp":
      attempt(toggleReaction(chat, message, THUMBS_UP));
      return true;
    case "react":
      set({ picking: message.id });
      return true;
    case "card":
      tools.openCard({ kind: "person", userId: message.sender_id });
      return true;
    case "pictures": {
      const address = firstPicture(message.id);
      if (address !== undefined) set({ dialog: { kind: "picture", address } });
      return address !== undefined;
    }
    case "collapse":
      attempt(toggleCollapsed(chat, message));
      return true;
    case "toggleFirstReaction": {
      const [first] = message.reactions;
      if (first) attempt(toggleReaction(chat, message, first));
      return true;
    }
    case "copyLink":
      attempt(copyText(messageAddress(chat, message)));
      return true;
    case "markUnread":
      set({ keepsUnread: true });
      attempt(markUnreadFrom(chat, here, message));
      return true;
    case "menu":
      set({ menu: message.id });
      return true;
    case "history":
    case "receipts":
      set({ dialog: { kind: action, messageId: message.id } });
      return true;
    case "move": {
      if (conversation.kind !== "topic") return false;
      const { channelId, topic } = conversation;
      if (!("channelId" in here)) go(inMessages(conversation, message.id), "messages");
      set({ move: { messageId: message.id, channelId, topic, mode: "change_later" } });
      return true;
    }
    case "muteTopic": {
      if (conversation.kind !== "topic") return false;
      const { channelId, topic } = conversation;
      const visibility_policy = isTopicMuted(chat.state.value ?? {}, channelId, topic) ? POLICY.unmuted : POLICY.muted;
      attempt(chat.client.call("POST /user_topics", { stream_id: channelId, topic, visibility_policy }));
      return true;
    }
    default:
      return false;
  }
}
