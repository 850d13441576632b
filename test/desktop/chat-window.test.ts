import assert from "node:assert/strict";
import { en } from "../../ui/locales/en.ts";
import { chatPageOf, chatShown, closeWindow, isChatVisible, openChat, untilChatIs } from "../support/chat-window.ts";
import { type DesktopApp, startDesktop } from "../support/desktop.ts";
import { until } from "../support/patience.ts";
import { desktopTest } from "../support/programs.ts";
import { dataFolder } from "../support/server-process.ts";
import { bounds, features, rights } from "./chat-checks.ts";

// The chat in a window of the desktop app.

desktopTest("the chat window is the owner's chat and nothing more", async (t) => {
  const folder = await dataFolder(t);
  const desktop = await startDesktop(t, { dataFolder: folder.path, tray: true });
  await desktop.running();
  const chat = await openChat(desktop);
  for (const [name, check] of Object.entries({ ...rights, ...bounds, ...features }))
    await t.test(name, () => check(desktop, chat, folder));
});

const menuItem = ({ ask }: DesktopApp, id: string): Promise<void> =>
  ask(({ Menu }, item) => Menu.getApplicationMenu()!.getMenuItemById(item)!.click(), id);

desktopTest("the sidebar, the palette, the menu and the tray open one chat window", async (t) => {
  const { path } = await dataFolder(t);
  const desktop = await startDesktop(t, { dataFolder: path, tray: true });
  await desktop.running();
  await openChat(desktop);
  const ways: Record<string, () => Promise<unknown>> = {
    menu: () => menuItem(desktop, "openChat"),
    tray: () => desktop.ask(() => (globalThis as any).hearthTest.trays[0].menu.getMenuItemById("openChat").click()),
    palette: async () => {
      const admin = await desktop.page();
      await admin.keyboard.press("Control+K");
      await admin.keyboard.type(en.shell.openChat.toLowerCase());
      await admin.keyboard.press("Enter");
    },
  };
  for (const open of Object.values(ways)) {
    await closeWindow(desktop, "app://chat/");
    await untilChatIs(desktop, "hidden");
    await open();
    await untilChatIs(desktop, "visible");
  }
  assert.equal(desktop.app.windows().length, 2);
});

desktopTest("the chat continues hidden, and the next start restores it", async (t) => {
  const { path } = await dataFolder(t);
  const first = await startDesktop(t, { dataFolder: path, tray: true });
  await first.running();
  await openChat(first);
  assert.equal(first.settings().chat, "open");
  await closeWindow(first, "app://chat/");
  await untilChatIs(first, "hidden");
  assert.equal(await first.quit(), 0);

  const options = { userData: first.userData, dataFolder: path, port: first.port, tray: true };
  const second = await startDesktop(t, options);
  await chatShown(second);
  assert.equal(await isChatVisible(second), false);
  await menuItem(second, "openChat");
  await untilChatIs(second, "visible");
  assert.equal(await second.quit(), 0);

  const third = await startDesktop(t, options);
  const { sessions } = await (await chatShown(third)).evaluate(
    async () => (await fetch("/host/sessions")).json() as any,
  );
  await untilChatIs(third, "visible");
  assert.equal(sessions.length, 1, "each start has the same session");
});

desktopTest("without the setting, a closed chat ends", async (t) => {
  const { path } = await dataFolder(t);
  const desktop = await startDesktop(t, { dataFolder: path, tray: true, settings: { keepChat: false } });
  await desktop.running();
  await openChat(desktop);
  await closeWindow(desktop, "app://chat/");
  await untilChatIs(desktop, "gone");
  await until(() => desktop.settings().chat === "closed" || undefined, "the state is saved");
  await openChat(desktop);
  const setBehavior = { keepChat: true };
  await (await desktop.page()).evaluate((change) => (globalThis as any).hearth.setBehavior(change), setBehavior);
  await closeWindow(desktop, "app://chat/");
  await untilChatIs(desktop, "hidden");
  await (await desktop.page()).evaluate(() => (globalThis as any).hearth.setBehavior({ chatIn: "browser" }));
  await untilChatIs(desktop, "gone");
});

desktopTest("without a tray, the last closed window quits, and the owner's chat asks nothing", async (t) => {
  const { path } = await dataFolder(t);
  const desktop = await startDesktop(t, { dataFolder: path });
  await desktop.running();
  await openChat(desktop);
  await closeWindow(desktop, "app://hearth/");
  const isAdminVisible = () =>
    desktop.ask(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().some(
        (one) => one.webContents.getURL().startsWith("app://hearth/") && one.isVisible(),
      ),
    );
  await until(async () => !(await isAdminVisible()) || undefined, "the admin window is hidden");
  assert.equal(await isChatVisible(desktop), true);
  await menuItem(desktop, "open");
  await until(async () => (await isAdminVisible()) || undefined, "the menu shows it again");
  await closeWindow(desktop, "app://chat/");
  await untilChatIs(desktop, "hidden");
  await closeWindow(desktop, "app://hearth/");
  assert.equal(await desktop.ended, 0);
});

desktopTest("the chat opens in the browser if the owner prefers that", async (t) => {
  const { path } = await dataFolder(t);
  const desktop = await startDesktop(t, { dataFolder: path, settings: { chatIn: "browser" } });
  await desktop.running();
  await menuItem(desktop, "openChat");
  const [url] = await until(async () => {
    const urls = await desktop.opened();
    return urls.length > 0 ? urls : undefined;
  }, "the browser opens");
  const response = await fetch(url as string, { redirect: "manual" });
  const [cookie = ""] = response.headers.get("set-cookie")?.split(";") ?? [];
  const session = await fetch(`http://127.0.0.1:${desktop.port}/host/session`, { headers: { cookie } });
  const { access, at_desktop } = (await session.json()) as { access: string; at_desktop: boolean };
  assert.deepEqual([access, at_desktop, chatPageOf(desktop)], ["host", false, undefined]);
});

desktopTest("the chat waits for a server that restarts", async (t) => {
  const { path } = await dataFolder(t);
  const desktop = await startDesktop(t, { dataFolder: path });
  await desktop.running();
  const chat = await openChat(desktop);
  await desktop.endThread();
  const refusal = await until(
    async () =>
      (await desktop.page()).evaluate(() =>
        (globalThis as any).hearth.openChat("/").then(
          () => undefined,
          (error: any) => error.reason,
        ),
      ),
    "the chat does not open",
  );
  assert.equal(refusal, "chat_not_ready");
  await desktop.running();
  const name = () => chat.evaluate(async () => ((await (await fetch("/api/v1/users/me")).json()) as any).full_name);
  await until(async () => (await name()) === "Owner" || undefined, "the chat responds again");
});
