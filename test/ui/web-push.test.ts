/// <reference lib="dom" />
import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Page, Worker } from "playwright-core";
import type { PushPayload } from "../../server/notifications/web-push/payload.ts";
import { en } from "../../ui/locales/en.ts";
import { assertAccessibleInBothThemes, assertFits, assertNone, visit } from "../support/browser.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";
import { PushBrowser, startPushService } from "../support/push-service.ts";
import { uiText } from "../support/ui-texts.ts";

// A headless Chromium reaches no push service and shows no notifications. So the tests replace both, in the page and in
// the real service worker, and dispatch the worker's events.

const OWNER = { email: "desdemona@example.com", password: "secret-desdemona" };
const { webPush: texts } = en.ownSettings;

interface StoredSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
  key: string;
}

/** Runs in the page: a push manager whose subscription survives reloads. */
function standIn(offered: StoredSubscription): void {
  const NAME = "test subscription";
  const current = () => {
    const stored = localStorage.getItem(NAME);
    if (stored === null) return null;
    const { endpoint, p256dh, auth, key } = JSON.parse(stored) as StoredSubscription;
    const bytes = Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    return {
      endpoint,
      options: { applicationServerKey: bytes.buffer },
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      unsubscribe: async () => localStorage.removeItem(NAME),
    };
  };
  Object.assign(PushManager.prototype, {
    getSubscription: async () => current(),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      localStorage.setItem(NAME, JSON.stringify({ ...offered, key: applicationServerKey }));
      return current();
    },
  });
}

/** Runs in the page and in the service worker: notifications that are only listed. */
function listNotifications(): void {
  const scope = globalThis as any;
  const shown: any[] = [];
  scope.shownNotifications = shown;
  const remove = (one: unknown) => shown.includes(one) && shown.splice(shown.indexOf(one), 1);
  Object.assign(ServiceWorkerRegistration.prototype, {
    showNotification: async (title: string, options: NotificationOptions) => {
      remove(shown.find(({ tag }) => tag === options.tag));
      const one = { title, ...options, close: () => remove(one) };
      shown.push(one);
    },
    getNotifications: async ({ tag }: GetNotificationOptions = {}) =>
      shown.filter((one) => tag === undefined || one.tag === tag),
  });
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
}

/** The owner's browser, which can subscribe at a push service. */
async function start(t: TestContext, { path = "/", isOn = true }: { path?: string; isOn?: boolean } = {}) {
  const service = await startPushService(t);
  const chat = await startChat(t, { unwatched: true, channels: [{ name: "rowing", subscribers: ["desdemona"] }] });
  const settings = { WEB_PUSH: isOn, WEBHOOK_ALLOWED_HOSTS: ["127.0.0.1"] };
  await chat.as("desdemona").patch("/host/settings", settings);
  const browser = new PushBrowser(service);
  const offered = JSON.stringify({ ...browser.subscription, key: "" });
  const { page, complaints } = await visit(t, `${chat.url}${path}`, {
    as: OWNER,
    serviceWorkers: "allow",
    before: `(${standIn})(${offered}); (${listNotifications})()`,
  });
  chat.closePages.push(async () => page.context().close());
  return { chat, page, complaints, browser };
}

const direct = async (chat: Chat, content: string): Promise<number> =>
  (await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids["desdemona"]], content }))["id"];

/** The service worker, and functions that send it a push and a click. */
async function startWorker(page: Page) {
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/sw.js");
    await navigator.serviceWorker.ready;
  });
  const worker = await until(() => page.context().serviceWorkers()[0], "a service worker");
  await worker.evaluate(listNotifications);
  const push = (payload: Partial<PushPayload>) => worker.evaluate(dispatchPush, { ...PAYLOAD, ...payload });
  return { shown: () => shownBy(worker), push, click: () => worker.evaluate(clickFirst) };
}

/** Runs in the worker. An event that a script dispatches cannot extend the worker's life, so this waits instead. */
async function dispatchPush(payload: PushPayload): Promise<void> {
  const work: Promise<unknown>[] = [];
  const extras = { data: { json: () => payload }, waitUntil: (one: Promise<unknown>) => work.push(one) };
  globalThis.dispatchEvent(Object.assign(new Event("push"), extras));
  await Promise.all(work);
}

/** Runs in the worker. Returns opened windows: real ones open and get the focus only after real clicks. */
async function clickFirst(): Promise<string[]> {
  const scope = globalThis as any;
  const opened: string[] = [];
  scope.clients.openWindow = async (url: string) => void opened.push(url);
  const work: Promise<unknown>[] = [];
  const event = Object.assign(new Event("notificationclick"), {
    notification: scope.shownNotifications[0],
    waitUntil: (one: Promise<unknown>) => work.push(one.catch(() => {})),
  });
  scope.dispatchEvent(event);
  await Promise.all(work);
  return opened;
}

const PAYLOAD: PushPayload = {
  kind: "message",
  title: "Hamlet",
  body: "Words",
  url: "/#narrow/dm/2/near/1",
  tag: "direct 1",
  icon: null,
  message_id: 1,
  clear: [],
};

interface Shown {
  title: string;
  body: string;
  tag: string;
  silent: boolean;
  data: { url: string; message_id: number | null };
}

const shownBy = (where: Page | Worker): Promise<Shown[]> =>
  (where as Worker).evaluate(() =>
    (globalThis as any).shownNotifications.map(({ title, body, tag, silent, data }: Shown) => ({
      title,
      body,
      tag,
      silent,
      data,
    })),
  );

test("a push is shown while Hearth is closed, and a click opens its message", async (t) => {
  const { page } = await start(t, { path: "/manifest.webmanifest" });
  const worker = await startWorker(page);
  await worker.push({ message_id: 7, url: "/#narrow/dm/2/near/7" });
  const [shown] = await worker.shown();
  assert.deepEqual([shown?.title, shown?.body, shown?.tag, shown?.silent], ["Hamlet", "Words", "direct 1", false]);
  assert.deepEqual(await worker.click(), ["/#narrow/dm/2/near/7"]);
  assert.deepEqual(await worker.shown(), []);
});

test("a click uses an open chat page", async (t) => {
  const { chat, page } = await start(t, { path: "/manifest.webmanifest" });
  const worker = await startWorker(page);
  const id = await direct(chat, "The play's the thing");
  await worker.push({ message_id: id, url: `/#narrow/dm/${chat.ids["hamlet"]}/near/${id}` });
  const other = await page.context().newPage();
  await other.goto(`${chat.url}/#recent`);
  await other.getByRole("heading", { level: 1 }).first().waitFor();
  assert.deepEqual(await worker.click(), []);
  await other.getByRole("article").filter({ hasText: "The play's the thing" }).waitFor();
});

test("a conversation has one notification, and a push closes those that were read", async (t) => {
  const { page } = await start(t, { path: "/manifest.webmanifest" });
  const worker = await startWorker(page);
  const ids = async () => (await worker.shown()).map(({ data }) => data.message_id).sort();
  await worker.push({ message_id: 1, body: "first" });
  await worker.push({ message_id: 2, body: "second" });
  await worker.push({ message_id: 3, tag: "channel 2 x" });
  assert.deepEqual(await ids(), [2, 3]);
  await worker.push({ message_id: 2, body: "second" });
  assert.deepEqual((await worker.shown()).map(({ silent }) => silent).sort(), [false, true], "the repetition is quiet");
  await worker.push({ message_id: 4, tag: "channel 3 y", clear: [2, 3] });
  assert.deepEqual(await ids(), [4]);
});

test("a chat page on the screen notifies itself, tests are always shown", async (t) => {
  const { page } = await start(t);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  const worker = await startWorker(page);
  await worker.push({});
  await worker.push({ kind: "test", title: "Test", tag: "test", message_id: null });
  assert.deepEqual(
    (await worker.shown()).map(({ title }) => title),
    ["Test"],
  );
});

test("a person turns this browser on, tests it and turns it off", async (t) => {
  const { chat, page, complaints, browser } = await start(t, { path: "/#settings/notifications" });
  const here = page.getByRole("switch", { name: texts.here });
  await here.click();
  const list = page.getByRole("list", { name: texts.list });
  await list.getByText(texts.thisOne).waitFor();
  await assertAccessibleInBothThemes(page, "a browser that is notified", "light");
  await assertFits(page, "a browser that is notified");
  await page.getByRole("button", { name: texts.test }).click();
  await page.getByText(texts.tested).waitFor();
  assert.equal((await browser.received(1))[0]?.kind, "test");
  await page.reload();
  await until(async () => (await here.isChecked()) || undefined, "the switch after a reload");
  await list.getByRole("button").click();
  await assertNone(list);
  assert.equal(await here.isChecked(), false);
  assert.deepEqual((await chat.as("desdemona").get("/users/me/web_push"))["devices"], []);
  assert.deepEqual(complaints, []);
});

test("settings say why a browser cannot be notified", async (t) => {
  const { page } = await start(t, { path: "/#settings/notifications", isOn: false });
  await page.getByText(texts.off).waitFor();
  assert.equal(
    await page.getByRole("link", { name: en.ownSettings.devices.toNetwork }).first().getAttribute("href"),
    "/admin/#/network",
  );
  await assertNone(page.getByRole("switch", { name: texts.here }));
});

test("a subscription ends when the server does not have it any more", async (t) => {
  const { chat, page } = await start(t, { path: "/#settings/notifications" });
  await page.getByRole("switch", { name: texts.here }).click();
  await page.getByRole("list", { name: texts.list }).waitFor();
  const subscribed = () => page.evaluate(() => localStorage.getItem("test subscription"));
  assert.ok(await subscribed());
  const [{ id }] = (await chat.as("desdemona").get("/users/me/web_push"))["devices"];
  await chat.as("desdemona").delete(`/users/me/web_push/devices/${id}`);
  await until(async () => ((await subscribed()) === null ? true : undefined), "the end of the subscription");
  assert.equal(await page.getByRole("switch", { name: texts.here }).isChecked(), false);
});

test("after a new server key, the page subscribes again", async (t) => {
  const { chat, page } = await start(t, { path: "/#settings/notifications" });
  await page.getByRole("switch", { name: texts.here }).click();
  await page.getByRole("list", { name: texts.list }).waitFor();
  const { public_key } = await chat.as("desdemona").get("/users/me/web_push");
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem("test subscription") as string);
    localStorage.setItem("test subscription", JSON.stringify({ ...stored, key: "BAAA" }));
  });
  await page.reload();
  const key = () => page.evaluate(() => JSON.parse(localStorage.getItem("test subscription") ?? "{}").key as string);
  await until(async () => (await key()) === public_key || undefined, "a subscription with the new key");
});

test("a page with Web Push closes a notification when its message is read", async (t) => {
  const { chat, page } = await start(t, { path: "/#settings/notifications" });
  await page.getByRole("switch", { name: texts.here }).click();
  await page.getByRole("list", { name: texts.list }).waitFor();
  const id = await direct(chat, "The play's the thing");
  const shown = await until(async () => (await shownBy(page))[0], "a notification");
  const [{ tag }] = (await chat.as("desdemona").get("/messages", { anchor: id, num_before: 0, num_after: 0 }))[
    "messages"
  ].map(({ recipient_id }: { recipient_id: number }) => ({ tag: `direct ${recipient_id}` }));
  assert.deepEqual([shown.body, shown.tag, shown.data.message_id], ["The play's the thing", tag, id]);
  await chat.as("desdemona").post("/messages/flags", { messages: [id], op: "add", flag: "read" });
  await until(async () => (await shownBy(page)).length === 0 || undefined, "no notification");
});

test("signing out ends the browser's subscription", async (t) => {
  const { chat, page } = await start(t, { path: "/#settings/notifications" });
  await page.getByRole("switch", { name: texts.here }).click();
  await page.getByRole("list", { name: texts.list }).waitFor();
  await page.getByRole("button", { name: uiText("chat.account", { name: "Desdemona" }) }).click();
  await page.getByRole("button", { name: en.chat.signOut }).click();
  await page.getByRole("heading", { name: uiText("signIn.titleNamed", { organization: "Venice" }) }).waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem("test subscription")), null);
  assert.deepEqual((await chat.as("desdemona").get("/users/me/web_push"))["devices"], []);
});
