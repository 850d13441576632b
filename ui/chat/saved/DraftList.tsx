import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { timeOrDay } from "../../parts/format.ts";
import { useAttempt, useChat, useChatState, usePageState } from "../chat-context.ts";
import { type Draft, narrowOfDraft, type ServerDraft } from "../model/drafts.ts";
import { narrowKey } from "../model/narrow.ts";
import { useDestinationTitle } from "./destination-title.ts";
import { SavedItem, SavedList } from "./SavedList.tsx";

/** What was typed and not sent, of all conversations and devices. */
export function DraftList() {
  const { t } = useTranslation();
  const { chat, page, go } = useChat();
  const attempt = useAttempt();
  const local = useStore(chat.drafts.store, (value) => value);
  useChatState((state) => state.drafts); // renders again when the server's change
  const titleOf = useDestinationTitle();
  const notice = usePageState((state) => state.notice);
  const drafts = [...local.values()].filter(({ text }) => text.trim() !== "").sort((a, b) => b.at - a.at);
  const others = chat.drafts.unopened();

  const openOther = (draft: ServerDraft) => {
    const narrow = chat.drafts.open(draft, chat.userId);
    if (narrow) go({ page: "messages", narrow });
    else page.update((before) => ({ ...before, forwarding: draft.content, dialog: { kind: "palette", mode: "go" } }));
  };
  const item = (key: string, place: string, at: number, text: string, onOpen: () => void, onDelete: () => void) => (
    <SavedItem
      key={key}
      place={place}
      about={timeOrDay(at, Date.now())}
      text={text}
      actions={
        <>
          <Button size="xs" variant="light" onClick={onOpen}>
            {t("writing.open")}
          </Button>
          <Button size="xs" variant="default" onClick={onDelete} aria-label={t("writing.deleteNamed", { place })}>
            {t("writing.delete")}
          </Button>
        </>
      }
    />
  );
  const ofHere = ({ narrow, topic, text, at }: Draft) =>
    item(
      narrowKey(narrow),
      titleOf(narrow.kind === "channel" && topic !== "" ? { ...narrow, kind: "topic", topic } : narrow),
      at,
      text,
      () => go({ page: "messages", narrow }),
      () => chat.drafts.set(narrow, { text: "", topic: "" }),
    );
  const ofServer = (draft: ServerDraft) => {
    const narrow = narrowOfDraft(draft, chat.userId);
    const place = narrow ? titleOf(narrow) : t("writing.noPlace");
    return item(
      `server ${draft.id}`,
      place,
      draft.timestamp * 1000,
      draft.content,
      () => openOther(draft),
      () => attempt(chat.drafts.deleteOnServer(draft.id)),
    );
  };
  return (
    <SavedList
      title={t("views.drafts")}
      empty={t("writing.noDrafts")}
      isEmpty={drafts.length === 0 && others.length === 0}
      error={notice}
    >
      {drafts.map(ofHere)}
      {others.map(ofServer)}
    </SavedList>
  );
}
