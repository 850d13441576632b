import { useTranslation } from "react-i18next";
import { IS_TOUCHED } from "../../parts/touch.ts";
import { setPage } from "../actions/action.ts";
import { MESSAGE_ACTIONS, type MessageThing } from "../actions/message.ts";
import { useChat, usePageState } from "../chat-context.ts";
import { ActionItems, ActionsMenu } from "../parts/ActionsMenu.tsx";
import { QuickReactions } from "./QuickReactions.tsx";

export function MessageMenu({ thing }: { thing: MessageThing }) {
  const { message } = thing;
  const { t } = useTranslation();
  const chat = useChat();
  const isOpen = usePageState(({ menu }) => menu === message.id);
  return (
    <ActionsMenu
      label={t("messageMenu.more")}
      size="md"
      opened={isOpen}
      onChange={(opens) => setPage(chat, { menu: opens ? message.id : undefined })}
    >
      {isOpen && (
        <>
          {IS_TOUCHED && <QuickReactions message={message} />}
          <ActionItems actions={MESSAGE_ACTIONS} thing={thing} />
        </>
      )}
    </ActionsMenu>
  );
}
