import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { type Narrow, narrowKey } from "../model/narrow.ts";
import { personById } from "../model/selectors.ts";

const MAX_NAMED = 2;

export function TypingLine({ narrow }: { narrow: Narrow }) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const ids = useStore(chat.typists.store, (all) => all[narrowKey(narrow)]);
  const text = useChatState((state) => {
    if (!ids) return undefined;
    if (ids.length > MAX_NAMED) return t("chat.typingSeveral");
    const names = ids.map((id) => personById(state, id)?.full_name ?? t("chat.unknownPerson"));
    return t("chat.typing", { count: names.length, names: names.join(", ") });
  });
  if (text === undefined) return null;
  return (
    <Text size="xs" c="var(--hearth-ink-soft)" px="var(--hearth-gap)" pb="0.25rem">
      {text}
    </Text>
  );
}
