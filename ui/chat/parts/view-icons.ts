import {
  AlarmClock,
  AtSign,
  BookmarkCheck,
  CalendarClock,
  Clock,
  Inbox,
  type LucideIcon,
  MessagesSquare,
  NotebookPen,
  Smile,
  Star,
  UsersRound,
} from "lucide-react";
import type { ListPage, ViewKind } from "../model/narrow.ts";

export const VIEW_ICONS: Readonly<Record<ListPage | ViewKind, LucideIcon>> = {
  inbox: Inbox,
  recent: Clock,
  feed: MessagesSquare,
  directs: UsersRound,
  mentions: AtSign,
  starred: Star,
  followed: BookmarkCheck,
  reactions: Smile,
  drafts: NotebookPen,
  scheduled: CalendarClock,
  reminders: AlarmClock,
};
