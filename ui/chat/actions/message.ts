import {
  AlarmClock,
  ArrowRightLeft,
  ClipboardCopy,
  Eye,
  Flag,
  FoldVertical,
  Forward,
  History,
  Link,
  LocateFixed,
  MailOpen,
  Pencil,
  Quote,
  Reply,
  SmilePlus,
  Star,
  Trash2,
  UnfoldVertical,
} from "lucide-react";
import type { State } from "../../api/state-shape.ts";
import { copyText } from "../../parts/copy-text.ts";
import { COMPOSER_ID } from "../composer/field-ids.ts";
import {
  isCollapsed,
  isStarred,
  markUnreadFrom,
  messageAddress,
  quotation,
  sourceOf,
  THUMBS_UP,
  toggleCollapsed,
  toggleReaction,
  toggleStar,
} from "../feed/message-actions.ts";
import { firstPicture } from "../feed/selection.ts";
import { conversationOf, type Message } from "../model/feed-state.ts";
import { isConversation, type Narrow, narrowKey } from "../model/narrow.ts";
import { mayDelete, mayEdit, mayMove } from "../model/permissions.ts";
import { personById } from "../model/selectors.ts";
import { type Action, type ActionContext, setPage } from "./action.ts";

export interface MessageThing {
  readonly message: Message;
  /** The open narrow, which shows the message. */
  readonly here: Narrow | undefined;
  /** Deletes the message unless the person undoes it. */
  startDeletion?(): void;
}

const isOwn = (state: State, { message }: MessageThing): boolean => message.sender_id === state.user_id;

const conversation = ({ user_id = 0 }: State, { message }: MessageThing) => conversationOf(message, user_id);

const openDialog =
  (kind: "remind" | "history" | "reactors" | "receipts" | "report") =>
  (context: ActionContext, { message }: MessageThing) =>
    setPage(context, { dialog: { kind, messageId: message.id } });

export const MESSAGE_ACTIONS: readonly Action<MessageThing>[] = [
  {
    id: "reply",
    label: (t) => t("messageMenu.reply"),
    icon: Reply,
    shortcut: { keys: ["r", "Enter"], group: "writing" },
    shownIn: ["menu"],
    run: reply,
  },
  {
    id: "quote",
    label: (t) => t("chat.tools.quote"),
    icon: Quote,
    shortcut: { keys: [">"], group: "writing" },
    shownIn: ["toolbar"],
    async run(context, thing) {
      const insertion = await quotation(context.chat, thing.message, context.t("chat.said"));
      setPage(context, { insertion });
      reply(context, thing);
    },
  },
  {
    id: "replyDirectly",
    label: (t) => t("shortcuts.actions.replyDirectly"),
    shortcut: { keys: ["R"], group: "writing" },
    run: ({ go }, { message }) =>
      go({ page: "messages", narrow: { kind: "direct", userIds: [message.sender_id] } }, "composer"),
  },
  {
    id: "replyMentioning",
    label: (t) => t("shortcuts.actions.replyMentioning"),
    shortcut: { keys: ["@"], group: "writing" },
    run(context, thing) {
      const { sender_id, sender_full_name } = thing.message;
      const name = personById(context.chat.state.value ?? {}, sender_id)?.full_name ?? sender_full_name;
      setPage(context, { insertion: `@**${name}|${sender_id}** ` });
      reply(context, thing);
    },
  },
  {
    id: "toggleNarrow",
    label: (t) => t("shortcuts.actions.toggleNarrow"),
    shortcut: { keys: ["s", "S"], group: "going" },
    run({ chat, go }, thing) {
      const { here, message } = thing;
      const narrow = conversation(chat.state.value ?? {}, thing);
      const isOpen = here && isConversation(here) && narrowKey(narrow) === narrowKey(here);
      if (!isOpen) go({ page: "messages", narrow, near: message.id }, "messages");
      else if (narrow.kind === "topic")
        go(
          { page: "messages", narrow: { kind: "channel", channelId: narrow.channelId }, near: message.id },
          "messages",
        );
    },
  },
  {
    id: "edit",
    label: (t) => t("chat.tools.edit"),
    icon: Pencil,
    shortcut: { keys: ["e"], group: "message" },
    shownIn: ["toolbar", "menu"],
    isAvailable: (state, { message }) => mayEdit(state, message, Date.now()),
    refusal: (state, thing) => (isOwn(state, thing) ? (t) => t("chat.editTooLate") : undefined),
    run: (context, { message }) => setPage(context, { editing: { id: message.id, from: "messages" } }),
  },
  {
    id: "star",
    label: (t) => t("chat.tools.star"),
    icon: Star,
    shortcut: { keys: ["Ctrl+s"], group: "message" },
    shownIn: ["toolbar"],
    on: { label: (t) => t("chat.tools.unstar"), icon: Star },
    isOn: (_, { message }) => isStarred(message),
    run: ({ chat }, { message }) => toggleStar(chat, message),
  },
  {
    id: "thumbsUp",
    label: (t) => t("shortcuts.actions.thumbsUp"),
    shortcut: { keys: ["+"], group: "message" },
    run: ({ chat }, { message }) => toggleReaction(chat, message, THUMBS_UP),
  },
  {
    id: "react",
    label: (t) => t("chat.tools.react"),
    icon: SmilePlus,
    shortcut: { keys: [":"], group: "message", help: (t) => t("shortcuts.actions.react") },
    run: (context, { message }) => setPage(context, { picking: message.id }),
  },
  {
    id: "toggleFirstReaction",
    label: (t) => t("shortcuts.actions.toggleFirstReaction"),
    shortcut: { keys: ["="], group: "message" },
    isAvailable: (_, { message }) => message.reactions.length > 0,
    run: ({ chat }, { message }) => message.reactions[0] && toggleReaction(chat, message, message.reactions[0]),
  },
  {
    id: "copyLink",
    label: (t) => t("chat.tools.copyLink"),
    icon: Link,
    shortcut: { keys: ["l"], group: "message" },
    shownIn: ["toolbar"],
    run: ({ chat }, { message }) => copyText(messageAddress(chat, message)),
  },
  {
    id: "inConversation",
    label: (t) => t("messageMenu.show"),
    icon: LocateFixed,
    shortcut: { keys: ["z"], group: "reading" },
    shownIn: ["menu"],
    isPublic: true,
    isAvailable: (_, { here }) => here !== undefined && !isConversation(here),
    run: ({ chat, go }, thing) =>
      go({ page: "messages", narrow: conversation(chat.state.value ?? {}, thing), near: thing.message.id }, "messages"),
  },
  {
    id: "markUnread",
    label: (t) => t("messageMenu.markUnread"),
    icon: MailOpen,
    shortcut: { keys: ["U"], group: "message" },
    shownIn: ["menu"],
    isAvailable: (_, { here }) => here !== undefined,
    run(context, { message, here }) {
      setPage(context, { keepsUnread: true });
      return here && markUnreadFrom(context.chat, here, message);
    },
  },
  {
    id: "move",
    label: (t) => t("messageMenu.move"),
    icon: ArrowRightLeft,
    shortcut: { keys: ["m"], group: "message", help: (t) => t("shortcuts.actions.move") },
    shownIn: ["menu"],
    isAvailable(state, thing) {
      const narrow = conversation(state, thing);
      return narrow.kind === "topic" && mayMove(state, narrow.channelId);
    },
    run(context, thing) {
      const narrow = conversation(context.chat.state.value ?? {}, thing);
      if (narrow.kind !== "topic") return;
      const { here, message } = thing;
      if (!here || !("channelId" in here)) context.go({ page: "messages", narrow, near: message.id }, "messages");
      const { channelId, topic } = narrow;
      setPage(context, { move: { messageId: message.id, channelId, topic, mode: "change_later" } });
    },
  },
  {
    id: "card",
    label: (t) => t("shortcuts.actions.card"),
    shortcut: { keys: ["u"], group: "message" },
    run: ({ openCard }, { message }) => openCard({ kind: "person", userId: message.sender_id }),
  },
  {
    id: "pictures",
    label: (t) => t("shortcuts.actions.pictures"),
    shortcut: { keys: ["v"], group: "message" },
    run(context, { message }) {
      const address = firstPicture(message.id);
      if (address !== undefined) setPage(context, { dialog: { kind: "picture", address } });
    },
  },
  {
    id: "collapse",
    label: (t) => t("messageMenu.collapse"),
    icon: FoldVertical,
    shortcut: { keys: ["-"], group: "message", help: (t) => t("shortcuts.actions.collapse") },
    shownIn: ["menu"],
    on: { label: (t) => t("chat.expand"), icon: UnfoldVertical },
    isOn: (_, { message }) => isCollapsed(message),
    run: ({ chat }, { message }) => toggleCollapsed(chat, message),
  },
  {
    id: "remind",
    label: (t) => t("messageMenu.remind"),
    icon: AlarmClock,
    shownIn: ["menu"],
    run: openDialog("remind"),
  },
  {
    id: "forward",
    label: (t) => t("messageMenu.forward"),
    icon: Forward,
    shownIn: ["menu"],
    async run(context, { message }) {
      const forwarding = await quotation(context.chat, message, context.t("chat.said"));
      setPage(context, { forwarding, dialog: { kind: "palette", mode: "go" } });
    },
  },
  {
    id: "copySource",
    label: (t) => t("messageMenu.copySource"),
    icon: ClipboardCopy,
    shownIn: ["menu"],
    async run(context, { message }) {
      await copyText(await sourceOf(context.chat, message));
      setPage(context, { notice: context.t("messageMenu.copied") });
    },
  },
  {
    id: "history",
    label: (t) => t("messageMenu.history"),
    icon: History,
    shortcut: { keys: ["H"], group: "message" },
    shownIn: ["menu"],
    isAvailable: (_, { message }) =>
      message.last_edit_timestamp !== undefined || message.last_moved_timestamp !== undefined,
    run: openDialog("history"),
  },
  {
    id: "reactors",
    label: (t) => t("messageMenu.reactors"),
    icon: SmilePlus,
    shownIn: ["menu"],
    isAvailable: (_, { message }) => message.reactions.length > 0,
    run: openDialog("reactors"),
  },
  {
    id: "receipts",
    label: (t) => t("messageMenu.receipts"),
    icon: Eye,
    shortcut: { keys: ["V"], group: "message" },
    shownIn: ["menu"],
    isAvailable: ({ realm_enable_read_receipts }) => realm_enable_read_receipts === true,
    run: openDialog("receipts"),
  },
  {
    id: "report",
    label: (t) => t("messageMenu.report"),
    icon: Flag,
    shownIn: ["menu"],
    isAvailable: (state, thing) => !isOwn(state, thing),
    run: openDialog("report"),
  },
  {
    id: "delete",
    label: (t) => t("chat.tools.delete"),
    icon: Trash2,
    shownIn: ["toolbar", "menu"],
    isDestructive: true,
    isAvailable: (state, { message, startDeletion }) =>
      startDeletion !== undefined && mayDelete(state, message, Date.now()),
    run: (_, { startDeletion }) => startDeletion?.(),
  },
  {
    id: "menu",
    label: (t) => t("shortcuts.actions.menu"),
    shortcut: { keys: ["i"], group: "message" },
    run: (context, { message }) => setPage(context, { menu: message.id }),
  },
];

/** Moves the focus to the composer of the message's conversation, or of the open one. */
function reply({ chat, go }: ActionContext, thing: MessageThing): void {
  if (thing.here && isConversation(thing.here)) document.getElementById(COMPOSER_ID)?.focus();
  else
    go({ page: "messages", narrow: conversation(chat.state.value ?? {}, thing), near: thing.message.id }, "composer");
}
