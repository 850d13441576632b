import type { Session, WebFrameMain } from "electron";

/** A page of the app. Each has its own window, session and storage. */
export interface Site {
  readonly origin: string;
  readonly url: string;
  /** The folder of its index.html in the built pages. */
  readonly page: "admin" | "chat";
  /** All other permissions are denied. */
  readonly permissions: readonly string[];
  /** The starts of the paths of calls that the server gets. */
  readonly calls: readonly string[];
  /** The starts of the paths of pictures and files that the server sends. */
  readonly files: readonly string[];
}

/** For the buttons that copy a URL or a link. */
const COPY = "clipboard-sanitized-write";
const PICTURES = ["/generated/", "/user_avatars/"];

/** Makes changes as the operator. */
export const ADMIN: Site = {
  origin: "app://hearth",
  url: "app://hearth/",
  page: "admin",
  permissions: [COPY],
  calls: ["/api/", "/host/"],
  files: PICTURES,
};

/** Shows what others write, so it has only the rights of the owner's session (chat-session.ts). */
export const CHAT: Site = {
  origin: "app://chat",
  url: "app://chat/",
  page: "chat",
  permissions: [COPY, "notifications"],
  calls: [
    "/api/",
    "/host/session",
    "/host/setting-tables",
    "/host/expiring_messages",
    "/host/failing-addresses",
    "/host/mail/own-test",
    "/host/reset-mails",
  ],
  files: [...PICTURES, "/user_uploads/", "/static/"],
};

let chats: Session | undefined;

/** Before the session has a page. */
export function setChatStorage(session: Session): void {
  chats = session;
}

export const siteOf = (session: Session): Site => (session === chats ? CHAT : ADMIN);

/** Whether the frame is the page itself, and not a frame inside it. */
export const isPageOf = ({ origin }: Site, frame: WebFrameMain | null | undefined): boolean =>
  frame?.parent === null && frame.origin === origin;

/** Ignores the fragment, in which pages store their own route. */
export const isPageUrl = ({ url }: Site, text: string): boolean => text.split("#")[0] === url;
