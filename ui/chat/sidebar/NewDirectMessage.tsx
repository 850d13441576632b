import { Button, Group } from "@mantine/core";
import { CornerDownLeft } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../parts/Dialog.tsx";
import { useChat } from "../chat-context.ts";
import { ChoosePeople } from "../people/ChoosePeople.tsx";

/** Chooses the people of a direct conversation. Without other people, it is for notes. */
export function NewDirectMessage({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const { chat, go } = useChat();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const open = (userIds: readonly number[]) => {
    go({ page: "messages", narrow: { kind: "direct", userIds: [...userIds].sort((a, b) => a - b) } });
    onClose();
  };
  return (
    <Dialog title={t("chat.newDirect.title")} finds onClose={onClose}>
      <ChoosePeople
        label={t("chat.newDirect.filter")}
        value={chosen}
        exclude={new Set([chat.userId])}
        isInline
        autoFocus
        onChange={setChosen}
        onEnter={() => chosen.length > 0 && open(chosen)}
      />
      <Group gap="xs" justify="end">
        <Button variant="default" onClick={() => open([chat.userId])}>
          {t("chat.notesToSelf")}
        </Button>
        <Button
          disabled={chosen.length === 0}
          onClick={() => open(chosen)}
          aria-keyshortcuts="Enter"
          rightSection={<CornerDownLeft size="0.875rem" aria-hidden="true" />}
        >
          {t("chat.newDirect.open")}
        </Button>
      </Group>
    </Dialog>
  );
}
