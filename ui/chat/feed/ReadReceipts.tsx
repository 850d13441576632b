import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { personById } from "../model/selectors.ts";
import classes from "./MessageDialogs.module.css";

/** Who has read a message, except people who do not share that. */
export function ReadReceipts({ messageId, onClose }: { messageId: number; onClose(): void }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const { data, error } = useQuery({
    queryKey: ["GET /messages/{message_id}/read_receipts", messageId],
    queryFn: ({ signal }) =>
      chat.client.call("GET /messages/{message_id}/read_receipts", { message_id: messageId }, signal),
    staleTime: 0,
  });
  const nameOf = (id: number) => personById(chat.state.value ?? {}, id)?.full_name;
  const known = data?.user_ids.filter((id) => nameOf(id) !== undefined) ?? [];
  const sorted = known.sort((a, b) => (nameOf(a) ?? "").localeCompare(nameOf(b) ?? ""));
  return (
    <Dialog title={t("messageMenu.receipts")} onClose={onClose}>
      {error && (
        <Callout tone="error" role="alert">
          {errorMessage(error)}
        </Callout>
      )}
      {data && (
        <Text size="sm" c="var(--hearth-ink-soft)" mb="xs">
          {t("messageMenu.readBy", { count: data.user_ids.length })}
        </Text>
      )}
      <PersonList userIds={sorted} />
    </Dialog>
  );
}

export const PersonList = ({ userIds }: { userIds: readonly number[] }) => (
  <ul className={classes.people}>
    {userIds.map((userId) => (
      <PersonLine key={userId} userId={userId} />
    ))}
  </ul>
);

function PersonLine({ userId }: { userId: number }) {
  const { t } = useTranslation();
  const person = useChatState((state) => personById(state, userId));
  return (
    <li>
      {person && <img src={person.avatar_url} alt="" width={24} height={24} loading="lazy" />}
      <bdi>{person?.full_name ?? t("chat.unknownPerson")}</bdi>
    </li>
  );
}
