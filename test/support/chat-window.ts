import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import type { DesktopApp } from "./desktop.ts";
import { PATIENCE_MS, until } from "./patience.ts";

/** The page of the chat window, if there is one. */
export const chatPageOf = ({ app }: DesktopApp): Page | undefined =>
  app.windows().find((page) => page.url().startsWith("app://chat/"));

/** Waits until the chat has loaded in its window. */
export async function chatShown(desktop: DesktopApp): Promise<Page> {
  const page = await until(() => chatPageOf(desktop), "the chat window");
  page.setDefaultTimeout(PATIENCE_MS);
  await page.locator("[data-account]").first().waitFor({ state: "attached" });
  return page;
}

/** Clicks the button in the sidebar of the admin window. */
export async function openChat(desktop: DesktopApp): Promise<Page> {
  const page = await desktop.page();
  const sidebar = page.getByRole("button", { name: en.shell.openChat, exact: true });
  await sidebar.last().click();
  return chatShown(desktop);
}

/** Undefined if there is no chat window. */
export const isChatVisible = ({ ask }: DesktopApp): Promise<boolean | undefined> =>
  ask(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find(({ webContents }) => webContents.getURL().startsWith("app://chat/"))
      ?.isVisible(),
  );

export const untilChatIs = async (desktop: DesktopApp, state: "visible" | "hidden" | "gone"): Promise<void> => {
  const wanted = { visible: true, hidden: false, gone: undefined }[state];
  await until(async () => (await isChatVisible(desktop)) === wanted || undefined, `the chat window is ${state}`);
};

/** Like the window's close button. */
export const closeWindow = ({ ask }: DesktopApp, url: "app://chat/" | "app://hearth/"): Promise<void> =>
  ask(({ BrowserWindow }, start) => {
    const windows = BrowserWindow.getAllWindows();
    windows.find(({ webContents }) => webContents.getURL().startsWith(start))?.close();
  }, url);

/** Uploads a picture and a sound of one second, and returns their URLs. */
export const uploadFiles = (page: Page): Promise<{ picture: string; sound: string }> =>
  page.evaluate<{ picture: string; sound: string }>(`(async () => {
    const send = async (name, content) => {
      const form = new FormData();
      form.set("file", content, name);
      return (await (await fetch("/api/v1/user_uploads", { method: "POST", body: form })).json()).url;
    };
    const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 40 });
    const dot = await new Promise((resolve) => canvas.toBlob(resolve));
    const view = new DataView(new ArrayBuffer(8044));
    const put = (at, text) => [...text].forEach((one, index) => view.setUint8(at + index, one.charCodeAt(0)));
    put(0, "RIFF");
    put(8, "WAVEfmt ");
    put(36, "data");
    for (const [at, value] of [[4, 8036], [16, 16], [24, 8000], [28, 8000], [40, 8000]]) view.setUint32(at, value, true);
    for (const [at, value] of [[20, 1], [22, 1], [32, 1], [34, 8]]) view.setUint16(at, value, true);
    return { picture: await send("dot.png", dot), sound: await send("silence.wav", new Blob([view.buffer])) };
  })()`);
