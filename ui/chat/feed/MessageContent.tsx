import { memo, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { exactTime } from "../../parts/format.ts";
import { useChat } from "../chat-context.ts";
import { useOpenCard } from "../people/open-card.ts";
import { isPlaceLink } from "../server-url.ts";
import classes from "./MessageContent.module.css";
import { addCopyButtons, complete, copyCode, MENTIONS, markEdited } from "./message-html.ts";
import { PICTURE_LINKS } from "./selection.ts";

export interface MessageContentProps {
  html: string;
  /** Adds an "edited" mark. In seconds since the epoch. */
  editedAt?: number | undefined;
}

/** The server's HTML of a message. It contains nothing that can run (docs/protocol.md#message-html). */
export const MessageContent = memo(function MessageContent({ html, editedAt }: MessageContentProps) {
  const root = useRef<HTMLDivElement>(null);
  const openCard = useOpenCard();
  const { page } = useChat();
  const { t } = useTranslation();
  /** Returns whether a picture was clicked. */
  const openPicture = (event: React.MouseEvent): boolean => {
    const address = (event.target as Element).closest(PICTURE_LINKS)?.getAttribute("href");
    if (!address || event.metaKey || event.ctrlKey) return false;
    event.preventDefault();
    page.update((before) => ({ ...before, dialog: { kind: "picture", address } }));
    return true;
  };
  /** Returns whether the target is a mention. */
  const openMention = (target: Element): boolean => {
    const { userId, userGroupId } = target.closest<HTMLElement>(MENTIONS)?.dataset ?? {};
    if (userId !== undefined) openCard({ kind: "person", userId: Number(userId) });
    else if (userGroupId !== undefined) openCard({ kind: "group", groupId: Number(userGroupId) });
    return userId !== undefined || userGroupId !== undefined;
  };

  /** Returns whether a copy button was clicked. */
  const copy = (event: React.MouseEvent): boolean => {
    const copied = copyCode(event.target as Element);
    void copied?.then((succeeded) => {
      const notice = t(succeeded ? "messageMenu.copied" : "messageMenu.notCopied");
      page.update((before) => ({ ...before, notice }));
    });
    return copied !== undefined;
  };

  const copyLabel = t("messageMenu.copyCode");
  const editedLabel = editedAt === undefined ? "" : t("chat.edited");
  // biome-ignore-start lint/correctness/useExhaustiveDependencies: new HTML replaces all nodes
  useLayoutEffect(() => {
    if (root.current) complete(root.current);
  }, [html]);
  useLayoutEffect(() => {
    if (root.current) addCopyButtons(root.current, copyLabel);
  }, [html, copyLabel]);
  useLayoutEffect(() => {
    if (root.current) markEdited(root.current, editedLabel, editedAt === undefined ? "" : exactTime(editedAt * 1000));
  }, [html, editedLabel, editedAt]);
  // biome-ignore-end lint/correctness/useExhaustiveDependencies: new HTML replaces all nodes

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles clicks on links and spoilers inside
    <div
      className={classes.content}
      dir="auto"
      ref={root}
      onClick={(event) => copy(event) || openMention(event.target as Element) || openPicture(event) || onClick(event)}
      onKeyDown={(event) => {
        if (!onKeyDown(event) && event.key === "Enter") openMention(event.target as Element);
      }}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server's renderer allows listed elements only
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
});

function onClick(event: React.MouseEvent): void {
  const target = event.target as Element;
  const header = target.closest<HTMLElement>(".spoiler-header");
  if (header) {
    toggleSpoiler(header);
    return;
  }
  const link = target.closest("a");
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  if (isPlaceLink(link)) window.location.hash = link.hash;
  else window.open(link.href, "_blank", "noopener,noreferrer");
}

/** Returns whether the key toggled a spoiler. */
function onKeyDown(event: React.KeyboardEvent): boolean {
  const header = (event.target as Element).closest<HTMLElement>(".spoiler-header");
  if (!header || (event.key !== "Enter" && event.key !== " ")) return false;
  event.preventDefault();
  toggleSpoiler(header);
  return true;
}

function toggleSpoiler(header: HTMLElement): void {
  const content = header.parentElement?.querySelector<HTMLElement>(".spoiler-content");
  if (!content) return;
  const opens = content.ariaHidden !== "false";
  content.ariaHidden = String(!opens);
  header.ariaExpanded = String(opens);
}
