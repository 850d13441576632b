import { Button } from "@mantine/core";
import { ChevronLeft, ChevronRight, Download, ExternalLink } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../parts/Dialog.tsx";
import { download } from "../../parts/download.ts";
import { dayAndTime, exactTime } from "../../parts/format.ts";
import { useChat, useChatState } from "../chat-context.ts";
import { conversationOf } from "../model/feed-state.ts";
import { personById } from "../model/selectors.ts";
import { IconButton } from "../parts/IconButton.tsx";
import { addressIn } from "../use-place.ts";
import classes from "./MessageDialogs.module.css";
import { PICTURE_LINKS, SCROLLER_ID } from "./selection.ts";

export interface PictureViewerProps {
  /** The URL of the first picture, as in the link of its message. */
  address: string;
  onClose(): void;
}

interface Picture {
  readonly address: string;
  readonly name: string;
  readonly messageId: number;
}

/** A large picture. The arrow keys show the other pictures of the open conversation. */
export function PictureViewer({ address, onClose }: PictureViewerProps) {
  const { t } = useTranslation();
  const [pictures] = useState(() => shownPictures());
  const [current, setCurrent] = useState(address);
  const at = pictures.findIndex((one) => one.address === current);
  const isOneOfSeveral = pictures.length > 1;
  const name = pictures[at]?.name || t("pictures.untitled");
  const step = (by: number) => {
    const next = pictures[at + by];
    if (next) setCurrent(next.address);
  };
  return (
    <Dialog title={name} size="80rem" onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons below have the same actions */}
      <div
        onKeyDown={({ key }) => {
          if (key === "ArrowLeft") step(-1);
          if (key === "ArrowRight") step(1);
        }}
      >
        <img className={classes.picture} src={current} alt={name} />
        <SentBy messageId={pictures[at]?.messageId} onLeave={onClose} />
        <div className={classes.tools}>
          {isOneOfSeveral && (
            <>
              <IconButton
                onClick={() => step(-1)}
                aria-disabled={at <= 0}
                label={t("pictures.previous")}
                data-autofocus
              >
                <ChevronLeft size="1.25rem" aria-hidden="true" />
              </IconButton>
              <span className={classes.count}>{t("pictures.count", { at: at + 1, count: pictures.length })}</span>
              <IconButton onClick={() => step(1)} aria-disabled={at >= pictures.length - 1} label={t("pictures.next")}>
                <ChevronRight size="1.25rem" aria-hidden="true" />
              </IconButton>
            </>
          )}
          <Button
            className={classes.download}
            component="a"
            variant="default"
            size="sm"
            href={current}
            download={name}
            onClick={window.hearthChat && savePicture}
            leftSection={<Download size="1rem" aria-hidden="true" />}
          >
            {t("pictures.download")}
          </Button>
          <Button
            component="a"
            variant="default"
            size="sm"
            href={current}
            target="_blank"
            rel="noreferrer"
            data-autofocus={!isOneOfSeveral || undefined}
            leftSection={<ExternalLink size="1rem" aria-hidden="true" />}
          >
            {t("pictures.original")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface SentByProps {
  messageId: number | undefined;
  onLeave(): void;
}

function SentBy({ messageId, onLeave }: SentByProps) {
  const { t } = useTranslation();
  const { chat, place } = useChat();
  const messages = place.page === "messages" ? chat.feed(place.narrow).store.value.messages : [];
  const message = messages.find(({ id }) => id === messageId);
  const sender = useChatState((state) => message && personById(state, message.sender_id));
  if (!message) return null;
  const at = message.timestamp * 1000;
  const address = addressIn(chat.state.value, {
    page: "messages",
    narrow: conversationOf(message, chat.userId),
    near: message.id,
  });
  return (
    <p className={classes.sent}>
      <bdi className={classes.sender}>{sender?.full_name ?? message.sender_full_name}</bdi>
      <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
        {dayAndTime(at)}
      </time>
      <a href={address} onClick={onLeave}>
        {t("pictures.toMessage")}
      </a>
    </p>
  );
}

/** The desktop app saves only files that the page has loaded. */
async function savePicture(event: React.MouseEvent<HTMLAnchorElement>): Promise<void> {
  event.preventDefault();
  const { href, download: name } = event.currentTarget;
  const response = await fetch(href).catch(() => undefined);
  if (response?.ok) download(name, await response.blob());
}

/** The pictures of the loaded messages, without duplicates. */
function shownPictures(): Picture[] {
  const links = document.querySelectorAll<HTMLAnchorElement>(`#${SCROLLER_ID} :is(${PICTURE_LINKS})`);
  const found = new Map<string, Picture>();
  for (const link of links) {
    const address = link.getAttribute("href") ?? "";
    const { messageId } = link.closest<HTMLElement>("[data-message-id]")?.dataset ?? {};
    // The first message with a picture is its source.
    if (!found.has(address)) found.set(address, { address, name: link.title, messageId: Number(messageId) });
  }
  return [...found.values()];
}
