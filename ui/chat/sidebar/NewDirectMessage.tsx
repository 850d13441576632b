import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../parts/Dialog.tsx";
import { useChat } from "../chat-context.ts";
import { ChoosePeople } from "../people/ChoosePeople.tsx";
import classes from "./NewDirectMessage.module.css";

/** Chooses the people of a direct conversation: nobody but oneself is one, too. */
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
        chosen={chosen}
        without={new Set([chat.userId])}
        isFirst
        onChange={setChosen}
        onEnter={(first) => {
          const addsOne = first !== undefined && chosen.length > 0;
          const whom = first ? [first.user_id] : chosen;
          if (addsOne || whom.length === 0) return false;
          open(whom);
          return true;
        }}
      />
      <div className={classes.actions}>
        <Button variant="default" onClick={() => open([chat.userId])}>
          {t("chat.notesToSelf")}
        </Button>
        <Button disabled={chosen.length === 0} onClick={() => open(chosen)}>
          {t("chat.newDirect.open")}
        </Button>
      </div>
    </Dialog>
  );
}
