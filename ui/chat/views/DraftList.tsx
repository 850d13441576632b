import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useStore } from "../../api/store.ts";
import { timeOrDay } from "../../parts/format.ts";
import { useAttempt, useChat, useChatState, usePageState } from "../chat-context.ts";
import { type Draft, narrowOfDraft, type ServerDraft } from "../model/drafts.ts";
import { type Narrow, narrowKey } from "../model/narrow.ts";
import { useDestinationTitle } from "./destination-title.ts";
import { SavedItem, SavedList } from "./SavedList.tsx";

/** The unsent texts of all conversations and devices. */
export function DraftList() {
  const { t } = useTranslation();
  const { chat, page, go } = useChat();
  const attempt = useAttempt();
  const local = useStore(chat.drafts.store, (value) => value);
  useChatState((state) => state.drafts); // unopened() depends on it
  const notice = usePageState((state) => state.notice);
  const drafts = [...local.values()].filter(({ text }) => text.trim() !== "").sort((a, b) => b.at - a.at);
  const others = chat.drafts.unopened();

  const openOther = (draft: ServerDraft) => {
    const narrow = chat.drafts.open(draft, chat.userId);
    if (narrow) go({ page: "messages", narrow });
    else page.update((before) => ({ ...before, forwarding: draft.content, dialog: { kind: "palette", mode: "go" } }));
  };
  return (
    <SavedList
      title={t("views.drafts")}
      empty={t("writing.noDrafts")}
      isEmpty={drafts.length === 0 && others.length === 0}
      error={notice}
    >
      {drafts.map((draft) => (
        <DraftItem
          key={narrowKey(draft.narrow)}
          to={destinationOf(draft)}
          at={draft.at}
          text={draft.text}
          onOpen={() => go({ page: "messages", narrow: draft.narrow })}
          onDelete={() => chat.drafts.set(draft.narrow, { text: "", topic: "" })}
        />
      ))}
      {others.map((draft) => (
        <DraftItem
          key={`server ${draft.id}`}
          to={narrowOfDraft(draft, chat.userId)}
          at={draft.timestamp * 1000}
          text={draft.content}
          onOpen={() => openOther(draft)}
          onDelete={() => attempt(chat.drafts.deleteOnServer(draft.id))}
        />
      ))}
    </SavedList>
  );
}

const destinationOf = ({ narrow, topic }: Draft): Narrow =>
  narrow.kind === "channel" && topic !== "" ? { ...narrow, kind: "topic", topic } : narrow;

interface DraftItemProps {
  to: Narrow | undefined;
  at: number;
  text: string;
  onOpen(): void;
  onDelete(): void;
}

function DraftItem({ to, at, text, onOpen, onDelete }: DraftItemProps) {
  const { t } = useTranslation();
  const title = useDestinationTitle(to);
  const place = to ? title : t("writing.noPlace");
  return (
    <SavedItem
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
}
