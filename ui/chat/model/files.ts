import type { Message } from "./feed-state.ts";

export interface SharedFile {
  readonly url: string;
  readonly name: string;
  /** The URL of a thumbnail. */
  readonly preview?: string;
  readonly message: Message;
}

/** The uploaded files that messages link to, newest first, without duplicates. */
export function filesIn(messages: readonly Message[], parse: (html: string) => ParentNode): SharedFile[] {
  const files = new Map<string, SharedFile>();
  for (const message of [...messages].reverse()) {
    const root = parse(message.content);
    for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href^="/user_uploads/"]')) {
      const url = link.getAttribute("href") ?? "";
      const before = files.get(url);
      const preview = link.querySelector("img")?.getAttribute("src") ?? before?.preview;
      const text = link.textContent?.trim() || link.title || before?.name;
      const name = text || decodeURIComponent(url.split("/").at(-1) ?? url);
      files.set(url, { url, name, message, ...(preview?.startsWith("/user_uploads/") && { preview }) });
    }
  }
  return [...files.values()];
}
