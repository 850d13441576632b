import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { de } from "../../ui/locales/de/all.ts";
import { en } from "../../ui/locales/en.ts";
import { systemOf } from "../../ui/trust/systems.ts";
import {
  assertAccessibleInBothThemes,
  assertFits,
  assertFocusVisible,
  browserWith,
  type VisitOptions,
  visit,
} from "../support/browser.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { linkOf } from "../support/joining.ts";
import { portForOthers } from "../support/second-machine.ts";
import { uiText } from "../support/ui-texts.ts";

const MACHINE = { hostname: "hearthbox", addresses: ["127.0.0.1"] };
const HOST = "hearthbox.local";

interface Secured {
  chat: Chat;
  /** Host and port, as another machine reaches them. */
  host: string;
  root: string;
  fingerprint: string;
}

/** A chat with HTTPS by its own authority, reached as another machine reaches it. */
async function startSecured(t: TestContext): Promise<Secured | undefined> {
  const chat = await startChat(t, {
    unwatched: true,
    host: "0.0.0.0",
    channels: [{ name: "harbour", subscribers: ["desdemona", "hamlet"] }],
    testing: { https: { machine: () => MACHINE } },
  });
  const port = await portForOthers(t, Number(new URL(chat.url).port));
  if (port === undefined) return undefined;
  const changed = await chat.as("desdemona").patch("/host/settings", { HTTPS: '{"use":"local authority"}' });
  assert.equal(changed.result, "success", changed.msg);
  const root = await (await fetch(`${chat.url}/hearth-root.crt`)).text();
  const { fingerprint } = (await chat.as("desdemona").get("/host/network"))["https"].root;
  return { chat, host: `${HOST}:${port}`, root, fingerprint };
}

/** Opens a path over plain HTTP, on a device that trusts the root or does not. */
async function open(
  t: TestContext,
  path: string | ((chat: Chat) => Promise<string>),
  { trusts = false, ...options }: VisitOptions & { trusts?: boolean } = {},
) {
  const secured = await startSecured(t);
  const browser = secured && (await browserWith(t, trusts ? secured.root : undefined));
  if (!secured || !browser) return undefined; // skipped
  const going = typeof path === "string" ? path : await path(secured.chat);
  return { ...secured, going, ...(await visit(t, `http://${secured.host}${going}`, { browser, ...options })) };
}

const isWaiting = (page: Page) => page.getByRole("status").getByText(en.trust.waiting).waitFor();

test("a device that trusts the root continues to the same URL over HTTPS", async (t) => {
  const link = async (chat: Chat) => `/join/${await linkOf(chat, "desdemona")}/?from=poster#top`;
  const opened = await open(t, link, { trusts: true });
  if (!opened) return;
  const { page, host, going } = opened;
  await page.getByRole("heading", { name: uiText("join.title", { organization: "Venice" }) }).waitFor();
  assert.equal(page.url(), `https://${host}${going}`);
});

test("an invitation link made with HTTPS on keeps its token out of the plain request", async (t) => {
  const opened = await open(t, "/", { trusts: true });
  if (!opened) return;
  const { page, chat, host } = opened;
  await page.waitForURL(`https://${host}/**`); // it continues on its own
  const { invite_link } = await chat.as("desdemona").post("/invites/multiuse");
  const [, token] = /^http:\/\/[^/]+\/join\/#([\w-]{43})$/.exec(invite_link) ?? [];
  assert.ok(token, invite_link);
  await page.goto(`http://${host}/join/#${token}`);
  await page.getByRole("heading", { name: uiText("join.title", { organization: "Venice" }) }).waitFor();
  assert.equal(page.url(), `https://${host}/join/${token}/`);
});

test("a device that does not trust the root gets the steps of its system", async (t) => {
  const opened = await open(t, "/#narrow/channel/1-harbour");
  if (!opened) return;
  const { page, host, fingerprint, complaints } = opened;
  await isWaiting(page);
  assert.equal(page.url(), `http://${host}/#narrow/channel/1-harbour`);
  assert.equal(await page.getByRole("tab", { selected: true }).textContent(), en.trust.linux.name);
  await page.getByText(fingerprint).waitFor();
  await page.getByRole("tab", { name: en.trust.ios.name }).click();
  await page.getByRole("heading", { name: en.trust.ios.trust }).waitFor();
  const profile = page.getByRole("link", { name: en.trust.downloadProfile });
  assert.equal(await profile.getAttribute("href"), "/hearth-root.mobileconfig");
  const onward = page.getByRole("link", { name: en.trust.continue });
  assert.equal(await onward.getAttribute("href"), `https://${host}/#narrow/channel/1-harbour`);
  const unexpected = complaints.filter((complaint) => !complaint.includes("ERR_CERT_AUTHORITY_INVALID"));
  assert.deepEqual(unexpected, []);
});

test("the trust page fits, is accessible, and works by keyboard", async (t) => {
  const opened = await open(t, "/", { viewport: { width: 360, height: 740 } });
  if (!opened) return;
  const { page } = opened;
  await isWaiting(page);
  for (const width of [360, 800, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    await assertFits(page, `${width} px`);
  }
  const tabs = page.getByRole("tab");
  for (let n = 0; n < (await tabs.count()); n += 1) {
    await tabs.nth(n).click();
    await assertAccessibleInBothThemes(page, `tab ${n}`, "light");
  }
  await page.keyboard.press("ArrowRight"); // from the last to the first
  await page.getByRole("tab", { name: en.trust.windows.name, selected: true }).and(page.locator(":focus")).waitFor();
  await assertFocusVisible(page, "the trust page", 4);
});

test("the trust page is in the browser's language and connects to this server only", async (t) => {
  const opened = await open(t, "/join/abc/", { locale: "de-DE" });
  if (!opened) return;
  const { page, host } = opened;
  await page.getByRole("heading", { name: de.trust.title }).waitFor();
  const headers = (await page.reload())?.headers() ?? {};
  const { "content-security-policy": policy = "", "cache-control": cache } = headers;
  assert.match(policy, new RegExp(`^default-src 'none'; .*connect-src 'self' https://${host}; .*form-action 'none'`));
  assert.equal(cache, "no-store");
  assert.equal(headers["strict-transport-security"], undefined);
});

test("the reader's system follows from the browser", () => {
  const systems = {
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36": "windows",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15": "mac",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1": "ios",
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile": "android",
    "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0": "android",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0": "firefox",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0": "linux",
  };
  for (const [userAgent, system] of Object.entries(systems))
    assert.equal(systemOf({ userAgent, maxTouchPoints: 0 }), system, userAgent);
  const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15";
  assert.equal(systemOf({ userAgent: mac, maxTouchPoints: 5 }), "ios", "an iPad");
});

/** In the page, because a request of the test itself would know neither the host nor the root. */
async function signIn(page: Page): Promise<void> {
  const status = await page.evaluate(
    (form) => fetch("/host/session", { method: "POST", body: new URLSearchParams(form) }).then((sent) => sent.status),
    { username: "desdemona@example.com", password: "secret-desdemona" },
  );
  assert.equal(status, 200);
}

/** Signs in over HTTPS and opens the chat through the plain URL. */
async function openChat(t: TestContext, before?: string) {
  const secured = await startSecured(t);
  const browser = secured && (await browserWith(t, secured.root));
  if (!secured || !browser) return undefined;
  const plain = `http://${secured.host}/`;
  const options = { browser, serviceWorkers: "allow", ...(before && { before }) } as const;
  const { page } = await visit(t, "about:blank", options);
  await page.context().grantPermissions(["notifications"], { origin: `https://${secured.host}` });
  await page.goto(`https://${secured.host}/reset/`);
  await signIn(page);
  await page.goto(plain);
  await page.waitForURL(`https://${secured.host}/**`);
  return { ...secured, page };
}

test("over HTTPS, the chat opens offline and can be installed", async (t) => {
  const opened = await openChat(t);
  if (!opened) return;
  const { page, host } = opened;
  const worker = await page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active?.scriptURL));
  assert.equal(worker, `https://${host}/sw.js`);
  const devtools = await page.context().newCDPSession(page);
  const { url, errors } = await devtools.send("Page.getAppManifest");
  assert.deepEqual([url, errors], [`https://${host}/manifest.webmanifest`, []]);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  const reasons = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito");
  assert.deepEqual(reasons, []);
});

/** Headless browsers show no notifications, so this keeps them for the test, which clicks them. */
const NOTING = `
  const { requestPermission } = window.Notification;
  window.noted = [];
  window.Notification = class {
    static permission = "granted";
    static requestPermission = () => requestPermission.call(Notification);
    constructor(title, { body }) { Object.assign(this, { title, body }); window.noted.push(this); }
    close() {}
  };
`;

type Noting = { noted: (Notification & { onclick(): void })[] };

test("over HTTPS, a notification leads to its message", async (t) => {
  const opened = await openChat(t, NOTING);
  if (!opened) return;
  const { page, chat, host } = opened;
  assert.equal(await page.evaluate(() => Notification.requestPermission()), "granted");
  await page.getByRole("link", { name: "harbour" }).first().click();
  await page.waitForURL(/narrow\/channel/);
  const content = "The ship is in";
  const { id } = await chat.as("hamlet").post("/messages", { type: "direct", to: [chat.ids["desdemona"]], content });
  await page.waitForFunction(() => (window as unknown as Noting).noted.length > 0);
  const { title, body } = await page.evaluate(() => {
    const [note] = (window as unknown as Noting).noted as Noting["noted"];
    note?.onclick();
    return { title: note?.title, body: note?.body };
  });
  assert.deepEqual([title, body], ["Hamlet", content]);
  await page.waitForURL(new RegExp(`^https://${host}/#narrow/dm/.*/near/${id}$`));
  await page.getByRole("article").filter({ hasText: content }).waitFor();
});

test("an open page says that the server now uses HTTPS", async (t) => {
  const chat = await startChat(t, { unwatched: true, host: "0.0.0.0", testing: { https: { machine: () => MACHINE } } });
  const port = await portForOthers(t, Number(new URL(chat.url).port));
  const browser = port === undefined ? undefined : await browserWith(t);
  if (!browser) return;
  const url = `http://${HOST}:${port}`;
  const { page } = await visit(t, `${url}/reset/`, { browser });
  await signIn(page);
  await page.goto(`${url}/admin/`);
  await page.getByRole("heading", { name: en.connect.title }).waitFor();
  await chat.as("desdemona").patch("/host/settings", { HTTPS: '{"use":"local authority"}' });
  const banner = page.getByRole("status").filter({ hasText: en.app.needsHttps });
  await banner.getByRole("button", { name: en.app.reload }).click();
  await isWaiting(page);
  assert.equal(page.url(), `${url}/admin/`);
});
