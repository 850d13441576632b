import i18next from "i18next";
import { type Movement, moveWithUndo } from "../../parts/move-with-undo.ts";
import { noticeDone } from "../../parts/settings/notices.tsx";
import type { ChatContext } from "../chat-context.ts";

export async function moveMessages(
  { chat }: Pick<ChatContext, "chat">,
  movement: Movement,
  done: "resolved" | "unresolved" | "moved",
): Promise<void> {
  const undo = await moveWithUndo(chat.client, movement);
  noticeDone(i18next.t(`marking.${done}`), undo);
}
