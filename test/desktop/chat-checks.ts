import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";
import { chatPageOf, closeWindow, untilChatIs, uploadFiles } from "../support/chat-window.ts";
import type { DesktopApp } from "../support/desktop.ts";
import { until } from "../support/patience.ts";
import { call, type DataFolder, OWNER_LOGIN } from "../support/server-process.ts";

// The rights, limits and features of the page in the chat window.

type ChatChecks = Record<string, (desktop: DesktopApp, chat: Page, folder: DataFolder) => Promise<void>>;

const get = (page: Page, path: string): Promise<any> =>
  page.evaluate(async (at) => {
    const response = await fetch(at);
    return { status: response.status, ...(await response.json().catch(() => ({}))) };
  }, path);

const send = (page: Page, method: string, path: string, fields: Record<string, string> = {}): Promise<any> =>
  page.evaluate(
    async ([verb, at, given]) => {
      const response = await fetch(at, { method: verb, body: new URLSearchParams(given) });
      return { status: response.status, ...((await response.json()) as object) };
    },
    [method, path, fields] as const,
  );

/** The newest lines of the audit, as the admin window has them. */
const originsIn = async (admin: Page): Promise<string[]> => {
  const { entries } = await get(admin, "/host/audit");
  return entries.map(({ origin }: { origin: string }) => origin);
};

export const rights: ChatChecks = {
  "the page is the owner, and has no rights of the operator": async (desktop, chat) => {
    const session = await get(chat, "/host/session");
    assert.deepEqual([session.user.full_name, session.at_desktop, session.access], ["Owner", false, "host"]);
    const hosts = [
      "/host/settings",
      "/host/state",
      "/host/backups",
      "/host/network",
      "/host/audit",
      "/host/owner-passwords",
    ];
    for (const path of hosts) assert.equal((await get(chat, path)).status, 404, path);
    for (const path of ["/host/sessions", "/host/session-codes"])
      assert.equal((await send(chat, "POST", path)).status, 401, path);
    assert.equal((await get(await desktop.page(), "/host/settings")).status, 200);
  },

  "messages are the owner's, and the audit knows both windows": async (desktop, chat, { people }) => {
    const to = `[${people[1]!.id}]`;
    const { id } = await send(chat, "POST", "/api/v1/messages", { type: "direct", to, content: "Hello from the desk" });
    const { message } = await get(chat, `/api/v1/messages/${id}`);
    assert.deepEqual([message.sender_full_name, message.client], ["Owner", "HearthDesktop"]);
    const admin = await desktop.page();
    await send(chat, "PATCH", "/api/v1/realm", { description: '"From the chat"' });
    await send(admin, "PATCH", "/api/v1/realm", { description: '"From the admin window"' });
    assert.deepEqual((await originsIn(admin)).slice(0, 2), ["desktop", "api"]);
  },

  "the page has no bridge to the shell but its own": async ({ ask }, chat) => {
    const found = await chat.evaluate(() => {
      const { hearth, hearthChat, document } = globalThis as any;
      return [typeof hearth, Object.keys(hearthChat).sort(), document.cookie];
    });
    assert.deepEqual(found, ["undefined", ["serverUrl", "setUnread", "show"], ""]);
    const answers = await ask(async ({ BrowserWindow, ipcMain }) => {
      const handlers = (ipcMain as any)._invokeHandlers as Map<string, (...args: any[]) => Promise<any>>;
      const { webContents: sender } = BrowserWindow.getAllWindows().find(({ webContents }) =>
        webContents.getURL().startsWith("app://chat/"),
      )!;
      const names = [...handlers.keys()].filter((name) => name.startsWith("hearth:"));
      const call = async (name: string) => (await handlers.get(name)!({ sender, senderFrame: sender.mainFrame })).error;
      return [names.length, (await Promise.all(names.map(call))).map((error) => error?.params.cause)] as const;
    });
    assert.deepEqual(answers[1], Array(answers[0]).fill("Refused."));
  },

  "the page cannot find its own session": async (_desktop, chat) => {
    const token = await sessionTokenOf(_desktop);
    assert.match(token, /^[\w-]{43}$/);
    const texts = await chat.evaluate(async () => {
      const { document, localStorage, sessionStorage, performance } = globalThis as any;
      const all = [
        document.documentElement.outerHTML,
        JSON.stringify([localStorage, sessionStorage, performance.getEntries()]),
      ];
      for (const path of ["/", "/host/session", "/host/sessions", "/api/v1/users/me", "/host/setting-tables"]) {
        const response = await fetch(path, { credentials: "include" });
        all.push(JSON.stringify([...response.headers]), await response.text());
      }
      return all as string[];
    });
    assert.deepEqual(
      texts.filter((text) => text.includes(token)),
      [],
    );
  },

  "a new password keeps the window signed in": async (desktop, chat) => {
    const before = await sessionTokenOf(desktop);
    const change = { old_password: OWNER_LOGIN.password, new_password: "another oar 27" };
    assert.equal((await send(chat, "PATCH", "/api/v1/settings", { ...change, old_password: "wrong" })).status, 400);
    assert.equal((await send(chat, "PATCH", "/api/v1/settings", change)).status, 200);
    assert.equal((await get(chat, "/host/session")).user.full_name, "Owner");
    assert.notEqual(await sessionTokenOf(desktop), before);
    assert.equal((await get(chat, "/host/sessions")).sessions.length, 1);
  },

  "another session replaces one that has ended": async (desktop, chat) => {
    const [{ id, browser }] = (await get(chat, "/host/sessions")).sessions;
    assert.equal(browser, "Hearth");
    assert.equal((await send(await desktop.page(), "DELETE", `/host/sessions/${id}`)).status, 200);
    assert.equal((await get(chat, "/api/v1/users/me")).full_name, "Owner");
    const { sessions } = await get(chat, "/host/sessions");
    assert.ok(sessions.length === 1 && sessions[0].id !== id);
  },
};

const sessionTokenOf = ({ ask }: DesktopApp): Promise<string> =>
  ask(async ({ session }) => (await session.fromPartition("persist:chat").cookies.get({}))[0]?.value ?? "");

export const bounds: ChatChecks = {
  "links and scripts stay in the chat": async (_desktop, chat) => {
    for (const address of [
      ...["https://example.com/", "file:///etc/passwd", "data:text/html,x", "app://hearth/", "app://hearth/#/people"],
      ...["app://chat/host/session", "app://chat/user_uploads/1/ab/x.html", "app://chat/adminx/", "app://chat/?other"],
    ]) {
      const stays = await chat.evaluate((to) => {
        const { document, location } = globalThis as any;
        (globalThis as any).stillHere = true;
        Object.assign(document.createElement("a"), { href: to }).click();
        location.href = to;
        return new Promise((resolve) => {
          // The shell has refused both before it responds to a later request.
          void fetch("/host/session").then(() => resolve((globalThis as any).stillHere && location.href.split("#")[0]));
        });
      }, address);
      assert.equal(stays, "app://chat/", address);
    }
  },

  "a request to the admin page does not leave the shell": async (desktop, chat) => {
    const outcomes = await chat.evaluate(async () => {
      const outcome = (url: string) =>
        fetch(url).then(
          ({ status }) => status,
          () => "failed",
        );
      const { document } = globalThis as any;
      document.body.append(Object.assign(document.createElement("iframe"), { src: "app://hearth/" }));
      return Promise.all(["app://hearth/host/settings", "app://hearth/", "http://127.0.0.1:9400/"].map(outcome));
    });
    assert.deepEqual(outcomes, ["failed", "failed", "failed"]);
    const loaded = await desktop.ask(async ({ BrowserWindow, session }) => {
      const other = new BrowserWindow({
        show: false,
        webPreferences: { session: session.fromPartition("persist:chat") },
      });
      const error = await other.loadURL("app://hearth/").then(
        () => "loaded",
        ({ message }: Error) => message.split(" ")[0],
      );
      other.destroy();
      return error;
    });
    assert.equal(loaded, "ERR_BLOCKED_BY_CLIENT");
  },

  "administration opens in the admin window": async (desktop, chat) => {
    const admin = await desktop.page();
    await closeWindow(desktop, "app://hearth/");
    await chat.evaluate(() => (globalThis as any).location.assign("/admin/#/people"));
    await admin.waitForURL("app://hearth/#/people");
    const shown = () =>
      desktop.ask(({ BrowserWindow }) => BrowserWindow.getAllWindows().every((one) => one.isVisible()));
    await until(async () => (await shown()) || undefined, "both windows are shown");
    assert.equal(chat.url().split("#")[0], "app://chat/");
  },

  "the account menu offers administration, but no sign-out": async (_desktop, chat) => {
    // Playwright's own clicks would wait for the navigation that the shell has refused.
    const items = await chat.evaluate(async () => {
      const { document } = globalThis as any;
      document.querySelector("[data-account]").click();
      await new Promise((resolve) =>
        new MutationObserver(resolve as any).observe(document.body, { childList: true, subtree: true }),
      );
      return document.body.innerText as string;
    });
    assert.ok(items.includes(en.chat.manage) && !items.includes(en.chat.signOut));
  },

  "links open in the browser, and files without a sign-in": async (desktop, chat) => {
    const { picture } = await uploadFiles(chat);
    const before = (await desktop.opened()).length;
    const refused = [
      "file:///etc/passwd",
      "javascript:alert(1)",
      "smb://nas/share",
      "app://hearth/",
      "https://a:b@example.com/",
    ];
    const opened = await chat.evaluate(
      (urls) => urls.filter((url) => (globalThis as any).open(url, "_blank") !== null),
      [...refused, "https://example.com/read", picture],
    );
    assert.deepEqual(opened, []);
    const urls = await until(async () => {
      const all = (await desktop.opened()).slice(before);
      return all.length >= 2 ? all : undefined;
    }, "two URLs are opened");
    assert.ok(urls.includes("https://example.com/read") && urls.length === 2, String(urls));
    const file = await fetch(urls.find((url) => url.includes("/user_uploads/temporary/")) as string);
    assert.deepEqual([file.status, file.headers.get("content-type")], [200, "image/png"]);
  },

  "pictures are saved, but no programs": async (desktop, chat) => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-saved-"));
    await desktop.ask(({ session }, path) => {
      const seen: string[] = [];
      Object.assign(globalThis, { saved: seen });
      session.fromPartition("persist:chat").on("will-download", (event, item) => {
        const name = item.getFilename();
        if (event.defaultPrevented) return void seen.push(`${name} refused`);
        item.setSavePath(`${path}/${name}`);
        item.once("done", (_done, state) => seen.push(`${name} ${state}`));
      });
    }, folder);
    const { picture } = await uploadFiles(chat);
    const results: string[] = [];
    for (const [name, source] of [
      ["dot.png", "blob"],
      ["setup.exe", "blob"],
      ["setup.png.bat", "blob"],
      ["dot.png", "upload"],
    ]) {
      await chat.evaluate(
        async ([download, from, url]) => {
          const { document } = globalThis as any;
          const content = await (await fetch(url as string)).blob();
          const href = from === "blob" ? URL.createObjectURL(content as any) : url;
          Object.assign(document.createElement("a"), { href, download }).click();
        },
        [name, source, picture] as const,
      );
      const count = results.length;
      const next = () =>
        desktop.ask((_electron, index) => (globalThis as any).saved[index] as string | undefined, count);
      results.push(await until(next, `${name} is saved or refused`));
    }
    assert.deepEqual(results, ["dot.png completed", "setup.exe refused", "setup.png.bat refused", "dot.png refused"]);
    assert.ok(existsSync(join(folder, "dot.png")) && statSync(join(folder, "dot.png")).size > 0);
    rmSync(folder, { recursive: true });
  },

  "notifications are allowed, and nothing else": async (desktop, chat) => {
    const states = (page: Page) =>
      page.evaluate(async () => {
        const { navigator, Notification } = globalThis as any;
        const state = async (name: string) => (await navigator.permissions.query({ name })).state;
        const asked = await Notification.requestPermission();
        return [
          asked,
          Notification.permission,
          ...(await Promise.all(["geolocation", "camera", "microphone"].map(state))),
        ];
      });
    assert.deepEqual(await states(chat), ["granted", "granted", "denied", "denied", "denied"]);
    assert.deepEqual(await states(await desktop.page()), ["denied", "denied", "denied", "denied", "denied"]);
  },

  "the window is sandboxed and isolated": async ({ ask }) => {
    const all = await ask(({ webContents }) =>
      webContents.getAllWebContents().map((contents) => (contents as any).getLastWebPreferences()),
    );
    assert.equal(all.length, 2);
    for (const { sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity } of all)
      assert.deepEqual(
        [sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity],
        [true, true, false, false, true],
      );
  },
};

export const features: ChatChecks = {
  "pictures and sounds of messages load": async (_desktop, chat) => {
    const { picture, sound } = await uploadFiles(chat);
    const found = await chat.evaluate(
      async ([image, audio]) => {
        const { Image, Audio } = globalThis as any;
        const load = (element: any, event: string, src: string) =>
          new Promise<string>((resolve) => {
            element[event] = () => resolve("loaded");
            element.onerror = () => resolve("failed");
            element.src = src;
          });
        const part = await fetch(audio, { headers: { range: "bytes=0-3" } });
        const avatar = await load(new Image(), "onload", "/user_avatars/none.png");
        return [
          await load(new Image(), "onload", image),
          await load(new Audio(), "onloadedmetadata", audio),
          part.status,
          avatar,
        ];
      },
      [picture, sound] as const,
    );
    assert.deepEqual(found, ["loaded", "loaded", 206, "failed"]);
  },

  "the unread count is on the icon and in the tray": async (desktop, chat, { people }) => {
    const badge = () => desktop.ask(() => (globalThis as any).hearthTest.badges.at(-1) as number | undefined);
    const content = "Is the boat ready?";
    await call(`http://127.0.0.1:${desktop.port}`, people[1]!, "POST /messages", {
      type: "direct",
      to: [people[0]!.id],
      content,
    });
    await until(async () => (await badge()) === 1 || undefined, "the badge shows 1");
    const toolTip = () => desktop.ask(() => (globalThis as any).hearthTest.toolTips.at(-1) as string);
    await until(async () => (await toolTip()) === "Venice: 1 unread message" || undefined, "the tray shows it");
    // Other senders and values change nothing.
    await desktop.ask(({ BrowserWindow, ipcMain }) => {
      const contents = BrowserWindow.getAllWindows().map(({ webContents }) => webContents);
      const [own, other] = ["app://chat/", "app://hearth/"].map(
        (url) => contents.find((one) => one.getURL().startsWith(url))!,
      );
      ipcMain.emit("hearth-chat:unread", { sender: other, senderFrame: other!.mainFrame }, 7);
      ipcMain.emit("hearth-chat:unread", { sender: own, senderFrame: other!.mainFrame }, 7);
      for (const odd of [-1, 1.5, "3", null, {}, Number.NaN])
        ipcMain.emit("hearth-chat:unread", { sender: own, senderFrame: own!.mainFrame }, odd);
    });
    assert.equal(await badge(), 1);
    await send(chat, "POST", "/api/v1/mark_all_as_read");
    await until(async () => (await badge()) === 0 || undefined, "the badge is gone");
  },

  "a clicked notification brings back the hidden window at its message": async (desktop, chat, { people }) => {
    await chat.evaluate(() => {
      const shown: unknown[] = [];
      class Fake {
        static permission = "granted";
        title: string;
        constructor(title: string) {
          this.title = title;
          shown.push(this);
        }
        close() {}
      }
      Object.assign(globalThis, { Notification: Fake, shown });
    });
    await closeWindow(desktop, "app://chat/");
    await untilChatIs(desktop, "hidden");
    const [owner, hamlet] = people;
    const message = { type: "direct", to: [owner!.id], content: "Come to the boathouse" };
    await call(`http://127.0.0.1:${desktop.port}`, hamlet!, "POST /messages", message);
    await chat.waitForFunction(() => (globalThis as any).shown[0]?.title === "Hamlet", undefined, { polling: 200 });
    await chat.evaluate(() => (globalThis as any).shown[0].onclick());
    await untilChatIs(desktop, "visible");
    await chat.getByText(message.content).first().waitFor();
    assert.match(chat.url(), /#narrow\/dm\//);
  },

  "links for others have the server's URL": async (desktop, chat) => {
    const url = `http://127.0.0.1:${desktop.port}`;
    assert.equal(await chat.evaluate(() => (globalThis as any).hearthChat.serverUrl()), url);
    assert.equal(chatPageOf(desktop), chat);
  },
};
