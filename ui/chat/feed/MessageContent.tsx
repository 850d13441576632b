import { memo, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { showEmoji } from "../../parts/emoji-characters.ts";
import { exactTime, timeOrDay } from "../../parts/format.ts";
import { useChat } from "../chat-context.ts";
import { useOpenCard } from "../people/open-card.ts";
import { copyCode, offerCopies } from "./copy-code.ts";
import { markEdited } from "./edited-mark.ts";
import classes from "./MessageContent.module.css";
import { PICTURE_LINKS } from "./selection.ts";

export interface MessageContentProps {
  html: string;
  /** When it was edited, in seconds, where its text is to say so. */
  editedAt?: number | undefined;
}

/** The HTML that the server made of a message: it allows nothing that could run (docs/protocol.md#message-html). */
export const MessageContent = memo(function MessageContent({ html, editedAt }: MessageContentProps) {
  const root = useRef<HTMLDivElement>(null);
  const openCard = useOpenCard();
  const { page } = useChat();
  const { t } = useTranslation();
  /** Returns whether there was a picture to show. */
  const openPicture = (event: React.MouseEvent): boolean => {
    const address = (event.target as Element).closest(PICTURE_LINKS)?.getAttribute("href");
    if (!address || event.metaKey || event.ctrlKey) return false;
    event.preventDefault();
    page.update((before) => ({ ...before, dialog: { kind: "picture", address } }));
    return true;
  };
  /** Returns whether there was a mention to open. */
  const openMention = (target: Element): boolean => {
    const { userId, userGroupId } = target.closest<HTMLElement>(MENTIONS)?.dataset ?? {};
    if (userId !== undefined) openCard({ kind: "person", userId: Number(userId) });
    else if (userGroupId !== undefined) openCard({ kind: "group", groupId: Number(userGroupId) });
    return userId !== undefined || userGroupId !== undefined;
  };

  /** Returns whether code is copied. */
  const copy = (event: React.MouseEvent): boolean => {
    const copied = copyCode(event.target as Element);
    void copied?.then((succeeded) => {
      const notice = t(succeeded ? "messageMenu.copied" : "messageMenu.notCopied");
      page.update((before) => ({ ...before, notice }));
    });
    return copied !== undefined;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the nodes are made anew with the HTML
  useLayoutEffect(() => {
    if (root.current) complete(root.current);
  }, [html]);
  const copyLabel = t("messageMenu.copyCode");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the nodes are made anew with the HTML
  useLayoutEffect(() => {
    if (root.current) offerCopies(root.current, copyLabel);
  }, [html, copyLabel]);
  const editedLabel = editedAt === undefined ? "" : t("chat.edited");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the nodes are made anew with the HTML
  useLayoutEffect(() => {
    if (root.current) markEdited(root.current, editedLabel, editedAt === undefined ? "" : exactTime(editedAt * 1000));
  }, [html, editedLabel, editedAt]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links and spoilers inside are what is clicked
    <div
      className={classes.content}
      dir="auto"
      ref={root}
      onClick={(event) => copy(event) || openMention(event.target as Element) || openPicture(event) || onClick(event)}
      onKeyDown={(event) => {
        if (!onKeyDown(event) && event.key === "Enter") openMention(event.target as Element);
      }}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made by the server's own renderer, from an allow-list
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
});

/** Mentions of somebody or of a user group, whose card they open. */
const MENTIONS = ".user-mention[data-user-id]:not([data-user-id='*']), .user-group-mention[data-user-group-id]";

/** What the HTML leaves to clients: emoji as characters, times in the reader's zone, spoilers that open by keyboard. */
function complete(root: HTMLElement): void {
  showEmoji(root);
  for (const time of root.querySelectorAll("time")) {
    const at = Date.parse(time.dateTime);
    if (Number.isNaN(at)) continue;
    time.textContent = timeOrDay(at, Date.now());
    time.title = exactTime(at);
  }
  for (const header of root.querySelectorAll<HTMLElement>(".spoiler-header")) {
    header.tabIndex = 0;
    header.role = "button";
    header.ariaExpanded = "false";
  }
  for (const mention of root.querySelectorAll<HTMLElement>(MENTIONS)) {
    mention.tabIndex = 0;
    mention.role = "button";
  }
  for (const image of root.querySelectorAll("img")) {
    image.loading = "lazy";
    if (!image.hasAttribute("alt")) image.alt = image.closest("a")?.title ?? "";
  }
}

function onClick(event: React.MouseEvent): void {
  const target = event.target as Element;
  const header = target.closest<HTMLElement>(".spoiler-header");
  if (header) {
    toggleSpoiler(header);
    return;
  }
  const link = target.closest("a");
  if (!link || event.metaKey || event.ctrlKey) return;
  const isPlace = link.origin === window.location.origin && link.pathname === "/" && link.hash !== "";
  event.preventDefault();
  if (isPlace) window.location.hash = link.hash;
  else window.open(link.href, "_blank", "noopener,noreferrer");
}

/** Returns whether a spoiler was opened or closed. */
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
