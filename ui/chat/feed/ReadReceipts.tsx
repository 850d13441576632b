import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { personById } from "../model/selectors.ts";
import classes from "./ReadReceipts.module.css";

/** Who has read a message, as far as they let others know. */
export function ReadReceipts({ messageId, onClose }: { messageId: number; onClose(): void }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const state = useChatState((value) => value);
  const [ids, setIds] = useState<readonly number[]>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    chat.client.call("GET /messages/{message_id}/read_receipts", { message_id: messageId }).then(
      ({ user_ids }) => setIds(user_ids),
      (caught) => setError(errorMessage(caught)),
    );
  }, [chat, messageId]);
  const people = (ids ?? [])
    .map((id) => personById(state, id))
    .filter((person) => person !== undefined)
    .sort((a, b) => a.full_name.localeCompare(b.full_name));
  return (
    <Dialog title={t("messageMenu.receipts")} onClose={onClose}>
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
      {ids && <p className={classes.count}>{t("messageMenu.readBy", { count: ids.length })}</p>}
      <ul className={classes.list}>
        {people.map(({ user_id, full_name, avatar_url }) => (
          <li key={user_id}>
            <img src={avatar_url} alt="" width={24} height={24} loading="lazy" />
            <bdi>{full_name}</bdi>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
