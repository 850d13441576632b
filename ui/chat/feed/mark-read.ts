import i18next from "i18next";
import { Refusal } from "../../api/client.ts";
import { errorMessage } from "../../parts/error-messages.ts";
import { noticeDone, noticeProgress, noticeStopped } from "../../parts/settings/notices.tsx";
import type { ChatContext } from "../chat-context.ts";
import { Marking, type ReadScope, unreadIds, unreadInMutedTopics, unreadNow } from "../model/reading.ts";

type Context = Pick<ChatContext, "chat" | "page">;

/** Marks a scope as read and offers Undo, which marks exactly the changed messages as unread. */
export async function markRead({ chat, page }: Context, scope: ReadScope): Promise<void> {
  const state = chat.state.value;
  const { unread_msgs: unread, max_message_id = 0 } = state ?? {};
  if (!state || !unread) return;
  /** Messages in muted topics, which the unread counts do not include. */
  const muted = new Set<number>();
  const idsIn = (all: typeof unread) => {
    for (const id of unreadInMutedTopics(state, all)) muted.add(id);
    return unreadIds(all, scope, chat.userId);
  };
  /** Older messages that the state lacks, without messages that arrived since. */
  const older = async () => idsIn((await unreadNow(chat.client)) ?? unread).filter((id) => id <= max_message_id);
  const ids = idsIn(unread);
  const marking = new Marking(chat.client, "add", ids, unread.old_unreads_missing ? older : undefined);
  const undo = () => {
    // Otherwise the visible messages would become read again immediately.
    page.update((before) => ({ ...before, keepsUnread: true }));
    return carryOut("unread", new Marking(chat.client, "remove", marking.changed));
  };
  const done = () => {
    const count = marking.changed.length;
    const inMuted = scope.kind === "topic" ? 0 : marking.changed.filter((id) => muted.has(id)).length;
    const text =
      inMuted > 0
        ? i18next.t("marking.read.doneWithMuted", { count, muted: inMuted })
        : i18next.t("marking.read.done", { count });
    noticeDone(text, count > 0 ? undo : undefined);
  };
  if (await carryOut("read", marking, done)) done();
}

/** Shows the progress and errors. `done` runs after a continued attempt. Returns whether everything is marked. */
async function carryOut(what: "read" | "unread", marking: Marking, done?: () => void): Promise<boolean> {
  const { t } = i18next;
  const text = () => t(`marking.${what}.progress`, { done: marking.done, count: marking.total });
  const progress = marking.isLong ? noticeProgress(text()) : undefined;
  try {
    await marking.run(() => progress?.update(text()));
    return true;
  } catch (error) {
    const reason = error instanceof Refusal ? errorMessage(error) : t("marking.noAnswer");
    const goOn = () => void carryOut(what, marking, done).then((isDone) => isDone && (done ?? undone)());
    noticeStopped(
      t(`marking.${what}.stopped`, { done: marking.done, count: marking.total, reason }),
      t("marking.goOn"),
      goOn,
    );
    return false;
  } finally {
    progress?.close();
  }
}

const undone = () => noticeDone(i18next.t("saving.undone"));
