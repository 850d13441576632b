import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Page, Route } from "playwright-core";
import qrcode from "qrcode-generator";
import { mayNeedHttps } from "../../ui/admin/pages/overview/use-checklist.ts";
import { en } from "../../ui/locales/en.ts";
import {
  assertAccessible,
  assertNone,
  intercept,
  signInAs,
  type Visit,
  type VisitOptions,
  visit,
} from "../support/browser.ts";
import { cannedPages, OWNER } from "../support/canned-pages.ts";
import { busyState, emptyState } from "../support/host-states.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { until } from "../support/patience.ts";
import { call, dataFolder, OWNER_LOGIN, type Person, serve, serveHere } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

const owner = { session: { user: OWNER } };

async function signedIn(t: TestContext) {
  const { path, people } = await dataFolder(t);
  const server = await serve(t, path);
  const visited = await visit(t, `${server.url}/admin/`, { as: OWNER_LOGIN });
  await visited.page.getByRole("heading", { name: "Venice", exact: true }).waitFor();
  return { path, server, people: people as Person[], ...visited };
}

async function busyPage(
  t: TestContext,
  options?: VisitOptions,
): Promise<Visit & { pages: Awaited<ReturnType<typeof cannedPages>> }> {
  const pages = await cannedPages(t, { ...owner, state: busyState() });
  const visited = await visit(t, `${pages.url}/admin/`, options);
  // With people online, the URL is one row until it is expanded.
  await visited.page.getByText("192.168.1.7:9400").waitFor();
  await assertNone(visited.page.getByRole("img", { name: likeText(en.qrCode.of) }));
  await visited.page.getByRole("button", { name: en.connect.showAll }).press("Enter");
  await visited.page.getByRole("heading", { name: en.connect.title }).and(visited.page.locator(":focus")).waitFor();
  return { pages, ...visited };
}

test("follows a URL change during the first load", async (t) => {
  const { path } = await dataFolder(t);
  const { url } = await serveHere(t, path);
  const { page } = await visit(t, "about:blank");
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isAsked = page.waitForRequest("**/assets/OverviewPage-*.js");
  await intercept(page, "**/assets/OverviewPage-*.js", async (route) => {
    await released;
    await route.continue();
  });
  await signInAs(page, url, OWNER_LOGIN);
  await page.goto(`${url}/admin/`);
  await isAsked;
  await page.evaluate(() => location.assign("#/data"));
  release();
  await page.getByRole("heading", { level: 2, name: en.data.title }).waitFor();
});

test("Overview survives a server that is killed and restarted", async (t) => {
  const { path, server, page } = await signedIn(t);
  server.child.kill("SIGKILL");
  await page.getByText(likeText(en.banner.unreachable)).waitFor();
  await page.getByText(en.topBar.unreachable).waitFor();
  assert.equal(await page.getByRole("heading", { name: "Venice", exact: true }).count(), 1);
  await server.ended;
  await serve(t, path, Number(new URL(server.url).port));
  await page.getByText(likeText(en.topBar.runningSince)).waitFor();
  await assertNone(page.getByText(likeText(en.banner.unreachable)));
});

const RELOADS = IS_LONG_RUN ? 20 : 3;

test(`${RELOADS} reloads leave no event queue behind`, async (t) => {
  const { server, people, page, complaints } = await signedIn(t);
  const queues = async () => {
    const state = await page.evaluate(async () => (await fetch("/host/state")).json());
    return (state as { queues: { pages: { total: number; waiting: number } } }).queues.pages;
  };
  const waitsAlone = async () => {
    const { total, waiting } = await queues();
    return total === 1 && waiting === 1 ? true : undefined;
  };
  for (let round = 0; round < RELOADS; round += 1) {
    // A page that closes before it has its queue's ID cannot delete the queue.
    await until(waitsAlone, `one queue, which waits, in round ${round}`);
    await page.reload();
    await page.getByRole("heading", { name: "Venice", exact: true }).waitFor();
  }
  await until(waitsAlone, "one queue, which waits");
  const emilia = { email: "emilia@example.com", full_name: "Emilia", password: "handkerchief" };
  await call(server.url, people[0] as Person, "POST /users", emilia);
  await page.getByText("added Emilia").waitFor();
  assert.deepEqual(complaints, []);
});

test("the copy button copies the URL and confirms", async (t) => {
  const { page } = await busyPage(t, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("button", { name: uiText("copy.copyNamed", { text: "http://192.168.1.7:9400" }) }).click();
  await page.getByRole("status").getByText(en.copy.copied).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "http://192.168.1.7:9400");
});

test("the copy button works on plain http", async (t) => {
  const { page } = await busyPage(t, {
    before: "Object.defineProperty(navigator, 'clipboard', { value: undefined })",
  });
  await page.evaluate(() => document.addEventListener("copy", () => (document.title = String(getSelection()))));
  const button = page.getByRole("button", { name: uiText("copy.copyNamed", { text: "http://10.8.0.2:9400" }) });
  await button.click();
  await page.getByRole("status").getByText(en.copy.copied).waitFor();
  assert.equal(await button.evaluate((element) => element === document.activeElement), true, "keeps the focus");
  await page.evaluate(() => {
    const field = document.body.appendChild(document.createElement("textarea"));
    field.id = "paste-here";
    field.focus();
  });
  await page.keyboard.press("Control+V");
  assert.equal(await page.locator("#paste-here").inputValue(), "http://10.8.0.2:9400");
});

test("the QR code is readable in both themes", async (t) => {
  const { page } = await busyPage(t, { colorScheme: "dark" });
  const address = "http://192.168.1.7:9400";
  assert.deepEqual(await shownModules(page, address), modulesOf(address));
  await page.getByRole("button", { name: uiText("connect.showQr", { url: "http://10.8.0.2:9400" }) }).click();
  const other = "http://10.8.0.2:9400";
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, forcedColors: "none" });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    assert.deepEqual(await shownModules(page, other), modulesOf(other), colorScheme);
    // Windows' contrast themes set this.
    await page.emulateMedia({ forcedColors: "active" });
    assert.deepEqual(await shownModules(page, other), modulesOf(other), `${colorScheme}, forced colours`);
  }
});

const QUIET = 4;

/** The expected modules from the library itself, with a quiet zone of four. */
function modulesOf(text: string): string[] {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const isDark = (row: number, column: number) =>
    [row, column].every((at) => at >= 0 && at < count) && code.isDark(row, column);
  const along = Array.from({ length: count + 2 * QUIET }, (_, index) => index - QUIET);
  return along.map((row) => along.map((column) => (isDark(row, column) ? "#" : ".")).join(""));
}

/** The visible modules, sampled from the middle of each in a screenshot. */
async function shownModules(page: Page, address: string): Promise<string[]> {
  const code = page.getByRole("img", { name: uiText("qrCode.of", { url: address }) });
  await code.locator("path").waitFor();
  const png = (await code.locator("svg").screenshot({ scale: "css" })).toString("base64");
  const count = modulesOf(address).length;
  return page.evaluate(
    async ({ png, count }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
      context.drawImage(image, 0, 0);
      const brightness = (row: number, column: number) => {
        const [x, y] = [column, row].map((at) => Math.floor(((at + 0.5) * image.width) / count)) as [number, number];
        return Math.max(...context.getImageData(x, y, 1, 1).data.slice(0, 3));
      };
      const along = Array.from({ length: count }, (_, index) => index);
      return along.map((row) => along.map((column) => (brightness(row, column) < 80 ? "#" : ".")).join(""));
    },
    { png, count },
  );
}

test("people, messages and audit entries show at once", async (t) => {
  const { pages, page } = await busyPage(t);
  const chart = page.getByRole("slider", { name: en.messages.chart });
  assert.match(
    (await chart.getAttribute("aria-valuetext")) ?? "",
    likeText(`${uiText("messages.now", { count: 4 })}. ${uiText("messages.summary", { max: 23, time: "{{}}" })}`),
  );
  pages.publish((state) => {
    state.messages.per_minute[59] = 5;
    state.messages.last_hour += 1;
    state.online.people_count = 1;
    state.online.people.length = 1;
  });
  await page
    .getByText(`${uiText("permissions.people", { count: 1 })} and ${uiText("permissions.bots", { count: 2 })}`)
    .waitFor();
  await page.getByText("576").waitFor();
  await chart.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Home");
  assert.match(
    (await chart.getAttribute("aria-valuetext")) ?? "",
    new RegExp(`^\\d{1,2}:\\d\\d${uiText("messages.at", { time: "", count: 7 })}$`),
  );
  await page.keyboard.press("End");
  await page.getByText(uiText("messages.now", { count: 5 })).waitFor();
});

test("a touch selects a bar that stays selected", async (t) => {
  const { page } = await busyPage(t, { hasTouch: true });
  await page.getByRole("slider", { name: en.messages.chart }).tap();
  await page.getByText(likeText(en.messages.at_other)).waitFor();
  await page.getByRole("heading", { name: en.messages.title }).tap();
  await page.getByText(likeText(en.messages.summary)).waitFor();
});

test("damaged uploads are a problem", async (t) => {
  const { pages, page } = await busyPage(t);
  await page.getByText(en.health.good).waitFor();
  pages.publish(({ host: { storage } }) => {
    storage.damaged_uploads = 3;
  });
  const problems = page.getByRole("region", { name: en.problems.title });
  await problems.getByText("3 uploaded files are damaged or missing.").waitFor();
  assert.match((await problems.getByRole("link").getAttribute("href")) ?? "", /#\/logs$/);
  await page.getByText(uiText("health.concerns", { count: 1 })).waitFor();
});

test("a full disk and a slow server cause warnings", async (t) => {
  const { pages, page } = await busyPage(t);
  await page.getByText(en.health.good).waitFor();
  await assertNone(page.getByRole("region", { name: en.problems.title }));
  pages.publish(({ host: { storage } }) => {
    storage.disk_free_bytes = 1_640_000_000;
  });
  await page.getByText(uiText("health.concerns", { count: 1 })).waitFor();
  await page.getByText("1.6 GB of 500 GB").waitFor();
  await assertNone(page.getByText(likeText(en.banner.diskLow)), "there is time to make room");
  pages.publish(({ host: { storage } }) => {
    storage.disk_free_bytes = 440_000_000;
  });
  await page
    .getByRole("status")
    .getByText(uiText("banner.diskLow", { min: "500 MB" }))
    .waitFor();
  await page.getByText("440 MB of 500 GB").waitFor();
  pages.publish((state) => {
    state.deliveries.retried = { count: 1, bots: [{ bot_id: 9, full_name: "Booking", waiting: 3 }] };
  });
  const problems = page.getByRole("region", { name: en.problems.title });
  await problems.getByText(uiText("problems.retried", { name: "Booking", count: 3 })).waitFor();
  await page.getByText(uiText("health.concerns", { count: 2 })).waitFor();
  pages.publish((state) => {
    const named = (full_name: string, index: number) => ({ bot_id: index, full_name, waiting: 1 });
    state.deliveries.retried = { count: 7, bots: ["A", "B", "C", "D", "E"].map(named) };
  });
  await problems.getByText(uiText("problems.retriedBots", { count: 7, names: "A, B, C, D, E and 2 more" })).waitFor();
  assert.match((await problems.getByRole("link").getAttribute("href")) ?? "", /#\/bots\?health=failing$/);
  pages.publish((state) => {
    state.deliveries.retried = { count: 0, bots: [] };
    state.accepts_writes = false;
    state.host.event_loop.delay_ms_p99 = 900;
    state.deliveries.failed = 7;
  });
  await page.getByRole("status").getByText(en.banner.readOnly).waitFor();
  await problems.getByText(uiText("problems.deliveries", { count: 7 })).waitFor();
  assert.match((await problems.getByRole("link").getAttribute("href")) ?? "", /#\/webhooks\?state=failed$/);
  await page.getByText(uiText("health.concerns", { count: 3 })).waitFor();
  await page.getByRole("button", { name: uiText("health.explainNamed", { label: en.health.delay }) }).click();
  await page.getByText("900 ms for one in a hundred").waitFor();
});

test("reports a backup from the future", async (t) => {
  const { pages, page } = await busyPage(t);
  pages.publish(({ host }) => {
    host.backups.ahead_at = Date.UTC(2031, 0, 5, 12);
  });
  const problems = page.getByRole("region", { name: en.problems.title });
  await problems.getByText(likeText(uiText("problems.backupAhead", { time: "{{}}2031{{}}" }))).waitFor();
  assert.match((await problems.getByRole("link").getAttribute("href")) ?? "", /#\/backups$/);
  await page.getByText(en.backupHealth.ahead).waitFor();
});

test("times follow this machine's clock, whatever the latency", async (t) => {
  const { pages, page } = await busyPage(t);
  const minute = new Date("2026-11-21T14:05").getTime();
  const here = minute + 10 * 60_000;
  await page.clock.setFixedTime(here);
  /** The server's clock is three hours behind, and its response takes this many milliseconds. */
  const answer = (last_hour: number, late: number) =>
    pages.publish((state) => {
      state.now = here - 3 * 3_600_000 - late;
      state.started_at = minute - 3 * 3_600_000;
      state.messages.last_hour = last_hour;
    });
  answer(577, 10_000); // so that the next response counts fully
  await page.getByText("577").waitFor();
  answer(578, 0);
  await page.getByText("578").waitFor();
  await page.getByText(uiText("topBar.runningSince", { time: "14:05" })).waitFor();
  const bar = await page.locator("rect").nth(20).elementHandle();
  answer(579, -600);
  await page.getByText("579").waitFor();
  assert.equal(await bar?.evaluate((rect) => rect.isConnected), true);
  assert.ok(await page.getByText(uiText("topBar.runningSince", { time: "14:05" })).isVisible());
  await page.getByRole("button", { name: uiText("health.explainNamed", { label: en.health.started }) }).click();
  await page.getByText("at 14:05:00").waitFor();
});

test("numbers and times use the user's locale, also without a translation", async (t) => {
  const { page } = await busyPage(t, { locale: "nl-NL" });
  await page.getByText(en.messages.total_other.replace(/\{\{.*?\}\}/, "48.213")).waitFor();
  await page.getByText("61,8 MB").waitFor();
  await page.getByText(likeText(uiText("messages.summary", { max: 23, time: "{{}}" }))).waitFor();
});

test("the focus survives removed elements, and a local server explains network access", async (t) => {
  const { page } = await busyPage(t);
  await page.getByRole("button", { name: uiText("connect.showQr", { url: "http://10.8.0.2:9400" }) }).press("Enter");
  await page.getByRole("paragraph").getByText("http://10.8.0.2:9400").and(page.locator(":focus")).waitFor();

  const pages = await cannedPages(t, { ...owner, state: emptyState() });
  await page.goto(`${pages.url}/admin/`);
  await page.getByText(en.connect.leadLocal).waitFor();
  await assertNone(page.getByRole("img", { name: likeText(en.qrCode.of) }));
  const opener = page.getByRole("button", { name: en.connect.howToOpen }).last();
  await opener.press("Enter");
  const dialog = page.getByRole("dialog", { name: en.connect.howToOpenTitle });
  await dialog.getByText('serve --data "/home/ann/.local/share/hearth" --host 0.0.0.0').waitFor();
  await dialog.getByRole("button", { name: en.dialog.close }).last().and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await opener.and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: en.checklist.dismiss }).press("Enter");
  await page.locator("main:focus").waitFor();
});

test("an active organization sees no checklist, and a help button explains each figure", async (t) => {
  const { page } = await busyPage(t);
  await assertNone(page.getByText(en.checklist.title));
  const ask = page.getByRole("button", { name: uiText("health.explainNamed", { label: en.health.memory }) });
  const help = page.getByText(en.health.memoryHelp);
  assert.equal(await help.isVisible(), false);
  await ask.press("Enter");
  await help.waitFor();
  assert.equal(await ask.getAttribute("aria-expanded"), "true");
});

test("HTTPS is proposed once a second person has joined, until it is dismissed", async (t) => {
  const pages = await cannedPages(t, { ...owner, state: emptyState() });
  const { page } = await visit(t, `${pages.url}/admin/`);
  await page.getByText(en.checklist.title).waitFor();
  const proposal = page.getByRole("region", { name: en.httpsProposal.title });
  pages.publish((state) => {
    state.network = busyState().network;
  });
  await page.getByText(uiText("checklist.done", { done: "1", count: 5 })).waitFor();
  await assertNone(proposal);
  pages.publish((state) => {
    state.organization.people = 2;
  });
  await assertAccessible(page, "the proposal");
  const setUp = proposal.getByRole("link", { name: en.httpsProposal.open });
  assert.match((await setUp.getAttribute("href")) ?? "", /#\/network\?open=https$/);
  await proposal.getByRole("button", { name: en.httpsProposal.dismiss }).press("Enter");
  await page.locator("#content:focus").waitFor();
  await page.reload();
  await page.getByText(en.checklist.title).waitFor();
  await assertNone(proposal);
});

test("HTTPS is proposed only to people who need it and can turn it on", () => {
  const state = busyState();
  const { network } = state;
  assert.equal(mayNeedHttps(state), true);
  assert.equal(mayNeedHttps({ ...state, organization: { ...state.organization, people: 1 } }), false);
  assert.equal(mayNeedHttps({ ...state, network: { ...network, lan: false } }), false);
  assert.equal(mayNeedHttps({ ...state, network: { ...network, https: "local authority" } }), false);
  const addresses = [{ url: "https://chat.example.com", interface: "proxy" }, ...network.addresses];
  assert.equal(mayNeedHttps({ ...state, network: { ...network, addresses } }), false, "a proxy encrypts");
  assert.equal(mayNeedHttps({ ...state, host: null }), false, "an administrator");
});

test("with the local authority, people get the URL that leads to the trust page", async (t) => {
  const state = busyState();
  const addresses = [{ url: "https://192.168.1.7:9400", interface: "wlan0" }];
  const pages = await cannedPages(t, {
    ...owner,
    state: { ...state, network: { ...state.network, https: "local authority", addresses } },
  });
  const { page } = await visit(t, `${pages.url}/admin/`);
  const connect = page.getByRole("region", { name: en.connect.title });
  await connect.getByRole("button", { name: en.connect.showAll }).click();
  await connect.getByText(en.connect.trustHint).waitFor();
  await connect.getByText("http://192.168.1.7:9400").waitFor();
});

test("the checklist completes itself and stays hidden once dismissed", async (t) => {
  const pages = await cannedPages(t, { ...owner, state: emptyState() });
  const { page } = await visit(t, `${pages.url}/admin/`);
  await page.getByText(uiText("checklist.done", { done: "0", count: 5 })).waitFor();
  pages.publish((state) => {
    state.network = busyState().network;
    state.organization.people = 2;
    state.organization.channels = 1;
    state.online = { people: [], people_count: 0, elsewhere_count: 0, bots_count: 1 };
  });
  await page.getByText(uiText("checklist.done", { done: "4", count: 5 })).waitFor();
  pages.publish((state) => {
    state.online.bots_count = 0; // a closed app still counts as connected
  });
  pages.publish((state) => {
    state.organization.messages = 1;
    state.organization.people_wrote = true;
  });
  await page.getByRole("heading", { name: en.checklist.allDone }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: en.checklist.allDone }).waitFor();
  await page.getByRole("button", { name: en.checklist.finished }).click();
  await assertNone(page.getByText(en.checklist.allDone));
  await page.reload();
  await page.getByRole("heading", { name: en.connect.title }).waitFor();
  assert.equal(
    (await page.getByText(en.checklist.title).count()) + (await page.getByText(en.checklist.allDone).count()),
    0,
  );
});

test("a dialog traps the focus and shows server errors", async (t) => {
  const pages = await cannedPages(t, {
    ...owner,
    state: emptyState(),
    answers: { "POST /users": { code: "BAD_REQUEST", msg: "Somebody has that address.", var_name: "email" } },
  });
  const { page } = await visit(t, `${pages.url}/admin/`);
  const opener = page.getByRole("button", { name: en.checklist.personAction });
  await opener.click();
  const dialog = page.getByRole("dialog", { name: en.addPerson.title });
  await dialog.locator("[name=full_name]:focus").waitFor();
  await dialog.getByLabel(en.addPerson.full_name).fill("Bo");
  await dialog.getByLabel(en.addPerson.email).fill("bo@example.org");
  await dialog.getByLabel(en.addPerson.password).fill("a boat of his own");
  await dialog.getByRole("button", { name: uiText("addPerson.submit", { name: "Bo" }) }).click();
  await dialog.getByText("Somebody has that address.").waitFor();
  await dialog.locator("[name=email]:focus").waitFor();
  await page.mouse.click(5, 5); // outside the dialog
  assert.equal(await dialog.getByLabel(en.addPerson.full_name).inputValue(), "Bo", "what was typed is still there");
  await dialog.locator("[name=email]").focus();
  for (let times = 0; times < 10; times += 1) await page.keyboard.press("Tab");
  assert.equal(await dialog.locator(":focus").count(), 1, "the focus stays inside");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: en.dialog.discard }).click();
  await dialog.waitFor({ state: "detached" });
  await opener.and(page.locator(":focus")).waitFor();
});

test("a late response to a closed dialog changes nothing", async (t) => {
  const pages = await cannedPages(t, { ...owner, state: emptyState() });
  const { page } = await visit(t, `${pages.url}/admin/`);
  const sent = Promise.withResolvers<Route>();
  await intercept(page, "**/users", sent.resolve);
  await page.getByRole("button", { name: en.checklist.personAction }).click();
  await page.getByLabel(en.addPerson.full_name).fill("Bo");
  await page.getByLabel(en.addPerson.email).fill("bo@example.org");
  await page.getByLabel(en.addPerson.password).fill("a boat of his own");
  await page.keyboard.press("Enter");
  const route = await sent.promise;
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: en.dialog.discard }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: en.checklist.channelAction }).click();
  const name = page.getByRole("dialog", { name: en.channels.create.title }).getByLabel(en.channels.fields.name);
  await name.fill("regatta");
  await route.fulfill({ json: { result: "success", msg: "", id: 2 } });
  await page.evaluate("fetch('/host/session')"); // gets a response later
  assert.equal(await name.inputValue(), "regatta");
});

test("a server restarted on an empty folder shows first run", async (t) => {
  const { pages, page } = await busyPage(t);
  const notReady = { code: "SERVER_NOT_READY", msg: "There is no organization on this server yet." };
  pages.set({ session: { setup: true, data_folder: "/x" }, answers: { "GET /host/state": notReady } });
  pages.publish(() => {});
  await page.getByRole("heading", { name: en.firstRun.title }).waitFor();
});

test("audit sentences escape names and cover unknown actions", async (t) => {
  const { pages, page } = await busyPage(t);
  const odd = "<b>R&D</b> <who>{{actor}}</who> $t(app.title)";
  pages.publish((state) => {
    const [newest] = state.host.audit;
    assert.ok(newest);
    const entry = { ...newest, at: Date.now() - 5.5 * 60_000, before: null, after: null };
    state.host.audit = [
      { ...entry, id: 103, target_name: odd, actor: { user_id: 9, full_name: odd } },
      { ...entry, id: 102, action: "frobnicate the linkifiers", target: "linkifier 3", target_name: null },
      { ...entry, id: 101, action: "create user", actor: null, origin: "server", target_name: "Bo" },
      { ...entry, id: 100, action: "change host setting", target: "host setting RATE_LIMITS", target_name: null },
      { ...entry, id: 99, action: "archive channel folder", target: "channel folder 2", target_name: "Work" },
      {
        ...entry,
        id: 98,
        action: "doubt the clock",
        actor: null,
        origin: "server",
        target: "clock",
        target_name: null,
      },
      {
        ...entry,
        id: 97,
        action: "delete default channel group",
        target: "default channel group 1",
        target_name: null,
        before: { name: "House", description: "", streams: [] },
      },
    ];
  });
  const section = page.getByRole("region", { name: en.audit.title });
  await section.getByText("frobnicate").waitFor();
  const sentences = await section.getByRole("listitem").allInnerTexts();
  assert.deepEqual(
    sentences.map((text) => text.replace(/\s+/g, " ")),
    [
      `${uiText("audit.userCreated", { actor: odd, name: odd })} 5 minutes ago`,
      "Ann Lindqvist: frobnicate the linkifiers 5 minutes ago",
      `${uiText("audit.userCreatedBySystem", { name: "Bo" })} 5 minutes ago`,
      `${uiText("audit.hostSetting", { actor: "Ann Lindqvist", name: en.operatorSettings.RATE_LIMITS.audit })} 5 minutes ago`,
      `${uiText("audit.folderArchived", { actor: "Ann Lindqvist", name: "Work" })} 5 minutes ago`,
      `${en.audit.clockDoubted} 5 minutes ago`,
      `${uiText("audit.channelGroupDeleted", { actor: "Ann Lindqvist", name: "House" })} 5 minutes ago`,
    ],
  );
  const [exact] = await section.locator("time").all();
  assert.match((await exact?.getAttribute("datetime")) ?? "", /^\d{4}-\d\d-\d\dT/);
  assert.match((await exact?.getAttribute("title")) ?? "", /\d{4}/);
});
