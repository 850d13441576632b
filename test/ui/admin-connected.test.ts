import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import type { RunningServer } from "../../server/server.ts";
import { curlCommand } from "../../ui/admin/pages/bots/curl.ts";
import { webhookAddress } from "../../ui/admin/pages/integrations/address.ts";
import { isLocalAddress } from "../../ui/admin/server-address.ts";
import { en } from "../../ui/locales/en.ts";
import {
  assertAccessible,
  assertAccessibleInBothThemes,
  assertFits,
  intercept,
  type VisitOptions,
  visit,
} from "../support/browser.ts";
import { until } from "../support/patience.ts";
import { call, dataFolder, OWNER_LOGIN, type Person, type Served, serveHere } from "../support/server-process.ts";
import { likeText, uiText } from "../support/ui-texts.ts";

async function startReceiver(t: TestContext) {
  const receiver = { status: 200, answer: JSON.stringify({ content: "Booked." }), tokens: [] as string[], url: "" };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk));
    request.on("end", () => {
      receiver.tokens.push(JSON.parse(body).token);
      response.writeHead(receiver.status, { "content-type": "application/json" }).end(receiver.answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

async function signedIn(t: TestContext, server: Served, options?: VisitOptions) {
  const { page, complaints } = await visit(t, `${server.url}/admin/`, { as: OWNER_LOGIN, ...options });
  await page.getByRole("heading", { name: en.nav.overview }).or(page.locator("#content")).first().waitFor();
  return { page, complaints };
}

/** Lets webhooks reach this machine. */
async function allowLoopback({ url }: Served, { authorization }: Person): Promise<void> {
  const body = new URLSearchParams({ WEBHOOK_ALLOWED_HOSTS: '["127.0.0.1"]' });
  const answer = await fetch(`${url}/host/settings`, { method: "PATCH", headers: { authorization }, body });
  assert.equal(answer.status, 200);
}

async function tryWaiting({ url }: Served, { authorization }: Person, botId: number): Promise<void> {
  const path = `/host/bots/${botId}/deliveries/try_waiting`;
  const answer = await fetch(`${url}${path}`, { method: "POST", headers: { authorization } });
  assert.equal(answer.status, 200);
}

const open = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

/** Checks the view in both themes and at a narrow width. */
async function assertGood(page: Page, what: string): Promise<void> {
  await assertAccessibleInBothThemes(page, what, "light");
  await page.setViewportSize({ width: 360, height: 780 });
  await assertFits(page, what);
  await page.setViewportSize({ width: 1280, height: 800 });
}

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

test("an unreadable secret can be set again", async (t) => {
  const { path, people } = await dataFolder(t);
  const server = (await serveHere(t, path)) as RunningServer;
  const [owner] = people as [Person];
  const make = (full_name: string, more: object) =>
    call(server.url, owner, "POST /bots", { full_name, short_name: full_name.toLowerCase(), ...more });
  const outgoing = await make("Outgoing", { bot_type: 3, payload_url: '"https://boats.example/hook"' });
  const incoming = await make("Incoming", { bot_type: 2 });
  server.app.store.transact({ actor: null, action: "test" }, (tx) => {
    tx.run("UPDATE bots SET webhook_secret = 'sealed by another key' WHERE user_id = ?", incoming["user_id"]);
    tx.run("UPDATE bot_services SET token = 'another', secret = 'another' WHERE bot_id = ?", outgoing["user_id"]);
  });
  const { page } = await signedIn(t, server);
  const unreadable = page.getByText(en.secrets.unreadable);
  await open(page, `#/bots?open=${outgoing["user_id"]}&tab=deliveries`);
  await unreadable.nth(1).waitFor();
  await assertGood(page, "an outgoing webhook without its secrets");
  await page.getByRole("button", { name: uiText("secrets.replaceNamed", { name: en.bots.outgoing.token }) }).click();
  await dialog(page, uiText("bots.outgoing.replaceToken", { name: "Outgoing" }))
    .getByRole("button", { name: uiText("secrets.replaceNamed", { name: en.bots.outgoing.token }) })
    .click();
  await unreadable.nth(1).waitFor({ state: "detached" });
  await open(page, `#/bots?open=${incoming["user_id"]}&tab=requests`);
  await dialog(page, "Incoming").getByText(en.secrets.unreadable).waitFor();
  await assertGood(page, "an incoming webhook without its secret");
});

test("the curl command is quoted for a shell", () => {
  const odd = { address: "http://h", email: "b@h", key: "k", channel: "it's $HOME", topic: "a b", content: '`x` \\ "' };
  const shown = `curl() { printf '%s\\n' "$@"; }; ${curlCommand(odd)}`;
  const words = execFileSync("sh", ["-c", shown], { encoding: "utf8" }).trimEnd().split("\n");
  assert.deepEqual(
    words.filter((word) => word !== "--data-urlencode"),
    ["http://h/api/v1/messages", "-u", "b@h:k", "type=channel", "to=it's $HOME", "topic=a b", 'content=`x` \\ "'],
  );
});

test("creates, tests, pauses, rekeys and deactivates bots", async (t) => {
  const { path, people } = await dataFolder(t);
  const server = await serveHere(t, path);
  const receiver = await startReceiver(t);
  const [owner] = people as [Person];
  await call(server.url, owner, "POST /users/me/subscriptions", { subscriptions: [{ name: "boathouse" }] });
  const { page, complaints } = await signedIn(t, server);
  await open(page, "#/bots");
  await page.getByText(en.bots.empty).waitFor();
  await assertGood(page, "no bots");

  // By keyboard, from anywhere.
  await page.keyboard.press("Control+K");
  await page.getByPlaceholder(en.shell.paletteHint).fill("create a bot");
  await page.getByRole("option", { selected: true }).getByText(en.bots.create).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: en.bots.kind.outgoing }).click();
  const form = dialog(page, uiText("bots.new.titleOf", { kind: en.bots.kind.outgoing }));
  await form.getByRole("button", { name: en.bots.new.submitUnnamed }).click();
  await form.getByText(en.bots.missing.full_name).waitFor();
  await form.getByText(en.bots.missing.payload_url).waitFor();
  await form.getByLabel(en.bots.field.full_name, { exact: true }).fill("Boat booking");
  const promised = await form.getByText("boat-booking-bot@").innerText();
  await form.getByLabel(en.bots.field.payload_url).fill(receiver.url);
  await form.getByRole("button", { name: en.bots.new.submitUnnamed }).click();
  await form.getByText(/^Webhooks can't reach 127\.0\.0\.1 unless/).waitFor();
  await form.getByRole("link", { name: en.webhooks.network }).waitFor();
  await assertGood(page, "the form of a bot, refused");
  await allowLoopback(server, owner);
  await form.getByRole("button", { name: en.bots.new.submitUnnamed }).click();

  const drawer = dialog(page, "Boat booking");
  await drawer.getByRole("button", { name: uiText("secrets.showNamed", { name: en.bots.connect.key }) }).click();
  const { realm_bots } = await call(server.url, owner, "POST /register", { fetch_event_types: ["realm_bot"] });
  const [bot] = realm_bots;
  assert.equal(promised, uiText("bots.field.short_nameHint", { address: bot.email }));
  await drawer.getByText(bot.api_key, { exact: true }).waitFor();
  await drawer.getByText("'to=boathouse'").waitFor();
  await assertGood(page, "how a program signs in");
  const saving = page.waitForEvent("download");
  await drawer.getByRole("button", { name: en.bots.connect.download }).click();
  assert.equal((await saving).suggestedFilename(), "zuliprc");

  await drawer.getByRole("tab", { name: en.bots.tab.deliveries }).click();
  await drawer.getByRole("button", { name: en.bots.outgoing.sendTest }).click();
  await drawer.getByText(likeText(uiText("bots.outgoing.testDone", { status: 200, time: "{{}}" }))).waitFor();
  await drawer.getByText('{"content":"Booked."}').waitFor();
  await drawer.getByText(/This is a test delivery/).waitFor();
  await drawer.getByRole("button", { name: uiText("secrets.replaceNamed", { name: en.bots.outgoing.token }) }).click();
  await dialog(page, uiText("bots.outgoing.replaceToken", { name: "Boat booking" }))
    .getByRole("button", { name: uiText("secrets.replaceNamed", { name: en.bots.outgoing.token }) })
    .click();
  await page.getByText(en.bots.outgoing.replaced).waitFor();
  receiver.status = 400;
  await drawer.getByRole("button", { name: en.bots.outgoing.sendTest }).click();
  await drawer.getByText(likeText(uiText("bots.outgoing.testFailed", { reason: "{{}}400{{}}" }))).waitFor();
  assert.notEqual(receiver.tokens[0], receiver.tokens[1], "the new token is sent");
  await assertGood(page, "deliveries of a bot");

  // The explanation of the refusal links to the setting.
  await drawer.getByRole("link", { name: en.webhooks.network }).click();
  const hosts = page.getByRole("combobox", { name: en.operatorSettings.WEBHOOK_ALLOWED_HOSTS.label });
  await hosts.and(page.locator(":focus")).waitFor();
  await page.goBack();
  await drawer.getByRole("button", { name: en.bots.outgoing.sendTest }).waitFor();

  // A change in one window appears in the other.
  const second = await signedIn(t, server);
  await open(second.page, "#/bots");
  const row = second.page.getByRole("row", { name: "Boat booking" });
  await row.getByText(`${en.bots.health.failing} · ${uiText("bots.healthDetail.failing", { count: 1 })}`).waitFor();
  receiver.status = 503;
  await call(server.url, owner, "POST /messages", { type: "direct", to: [bot.user_id], content: "7:00" });
  await row.getByText(uiText("bots.healthDetail.waiting", { count: 1 })).waitFor();
  await until(() => Promise.resolve(receiver.tokens.length === 3 || undefined), "a first try");
  // Overview links to the bot.
  await open(second.page, "#/");
  const problems = second.page.getByRole("region", { name: en.problems.title });
  await problems.getByText(uiText("problems.retried", { name: "Boat booking", count: 1 })).waitFor();
  await problems.getByRole("link", { name: en.problems.showBot }).click();
  await dialog(second.page, "Boat booking").getByRole("button", { name: en.bots.outgoing.tryAll }).waitFor();
  await open(second.page, "#/bots");
  await drawer.getByRole("button", { name: en.bots.outgoing.tryAll }).click();
  await page.getByText(uiText("bots.outgoing.tried", { count: 1 })).waitFor();
  await until(() => Promise.resolve(receiver.tokens.length > 3 || undefined), "another try");
  receiver.status = 200;
  await tryWaiting(server, owner, bot.user_id);
  await row
    .getByText(`${en.bots.health.undelivered} · ${uiText("bots.healthDetail.failing", { count: 1 })}`, { exact: true })
    .waitFor();
  await drawer.getByRole("button", { name: en.bots.outgoing.tryAll }).waitFor({ state: "detached" });
  await drawer.getByRole("switch", { name: en.bots.outgoing.pause }).click();
  await row.getByText(en.bots.health.paused).waitFor();
  await call(server.url, owner, "POST /messages", { type: "direct", to: [bot.user_id], content: "8:00" });
  await row.getByText(uiText("bots.healthDetail.waiting", { count: 1 })).waitFor();

  await drawer.getByRole("tab", { name: en.bots.tab.settings }).click();
  await drawer.getByLabel(en.bots.field.full_name, { exact: true }).fill("Boats");
  await page.keyboard.press("Enter");
  await second.page.getByRole("row", { name: "Boats" }).waitFor();
  const renamed = dialog(page, "Boats");
  await renamed.getByLabel(en.bots.field.full_name, { exact: true }).fill("x");
  await page.keyboard.press("Enter");
  await renamed
    .getByText(/2 to 100|at least 2|too short/i)
    .first()
    .waitFor();
  await renamed.getByRole("button", { name: uiText("bots.deactivate.button", { name: "Boats" }) }).click();
  const question = dialog(page, uiText("bots.deactivate.title", { name: "Boats" }));
  await question.getByText(uiText("bots.deactivate.waiting", { count: 1 })).waitFor();
  await assertAccessible(page, "the question before a bot is deactivated");
  await question.getByRole("button", { name: uiText("bots.deactivate.confirm", { name: "Boats" }) }).click();
  await second.page.getByRole("row", { name: "Boats" }).getByText(en.bots.status.deactivated).first().waitFor();
  await renamed.getByRole("button", { name: uiText("bots.reactivate.button", { name: "Boats" }) }).click();
  await page.getByText(uiText("bots.reactivate.done", { name: "Boats" })).waitFor();
  const after = await call(server.url, owner, "POST /register", { fetch_event_types: ["realm_bot"] });
  assert.equal(after.realm_bots[0].api_key, bot.api_key);

  // The page offers the user's actions as soon as permissions change.
  await second.page.getByRole("button", { name: en.bots.create }).click();
  await second.page.getByRole("button", { name: en.bots.kind.generic, disabled: false }).waitFor();
  const { realm_user_groups } = await call(server.url, owner, "POST /register", {
    fetch_event_types: ["realm_user_groups"],
  });
  const nobody = realm_user_groups.find(({ name }: { name: string }) => name === "role:nobody").id;
  const permit = (setting: string) => call(server.url, owner, "PATCH /realm", { [setting]: { new: nobody } });
  assert.equal((await permit("can_create_bots_group")).status, 200);
  await second.page
    .getByRole("button", { name: likeText(`${en.bots.kind.generic}{{}}${en.bots.new.mayNot}`), disabled: true })
    .waitFor();
  await second.page.getByRole("button", { name: en.bots.kind.incoming, disabled: false }).waitFor();
  assert.equal((await permit("can_create_write_only_bots_group")).status, 200);
  await second.page.getByRole("button", { name: en.bots.create }).waitFor({ state: "detached" });

  // The URL contains the filters.
  await open(second.page, "#/bots?kind=incoming");
  await second.page.getByText(en.table.none).waitFor();
  await open(second.page, "#/bots?health=paused&q=boats");
  await second.page.getByRole("row", { name: "Boats" }).waitFor();
  await until(() => Promise.resolve(complaints.length <= 2 || undefined), "no other complaints");
  assert.deepEqual(
    complaints.filter((text) => !/status of 400/.test(text)),
    [],
    "nothing but the two refusals",
  );
});

test("filters, compares and replays the webhook log", async (t) => {
  const { path, people } = await dataFolder(t);
  const server = await serveHere(t, path);
  const receiver = await startReceiver(t);
  const [owner] = people as [Person];
  await allowLoopback(server, owner);
  await call(server.url, owner, "POST /users/me/subscriptions", { subscriptions: [{ name: "boathouse" }] });
  const make = async (full_name: string, more: object) =>
    call(server.url, owner, "POST /bots", { full_name, short_name: full_name.toLowerCase(), ...more });
  const booking = await make("Booking", { bot_type: 3, payload_url: JSON.stringify(receiver.url) });
  const github = await make("Builds", { bot_type: 2, service_name: "helloworld" });
  const say = (content: string) =>
    call(server.url, owner, "POST /messages", { type: "direct", to: [booking["user_id"]], content });

  const { page, complaints } = await signedIn(t, server);
  await open(page, "#/webhooks");
  await page.getByText(en.webhooks.emptySent).waitFor();
  const rows = (state: string | RegExp) => page.getByRole("row").filter({ hasText: state });
  await say("one");
  await rows(en.webhooks.delivery.delivered).waitFor();
  receiver.status = 410;
  receiver.answer = "gone away";
  await say("two");
  await rows(en.webhooks.delivery.failed).waitFor();
  await assertGood(page, "the log of deliveries");

  // By keyboard: search, move down, select two, open one.
  const focused = (index: number) => page.locator(`tr[data-index="${index}"]:focus`).waitFor();
  await page.keyboard.press("/");
  await page.locator("input[type=search]:focus").waitFor();
  await page.keyboard.press("Enter");
  await focused(0);
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await focused(1);
  await page.keyboard.press("x");
  await page.getByRole("button", { name: en.webhooks.compare }).click();
  const comparison = dialog(page, en.webhooks.compareTitle);
  await comparison.locator("del", { hasText: '"data": "one"' }).waitFor();
  await comparison.locator("ins", { hasText: '"data": "two"' }).waitFor();
  await assertGood(page, "what differs between two payloads");
  await page.keyboard.press("Escape");
  await open(page, "#/webhooks?state=failed");
  await page.getByRole("row").nth(2).waitFor({ state: "detached" });
  await rows(en.webhooks.delivery.failed).click();
  const drawer = page.getByRole("dialog", { name: likeText(en.webhooks.details.delivery) });
  await drawer.getByText("gone away").waitFor();
  await drawer.getByText('"token": "********"').waitFor();
  await assertGood(page, "a delivery");
  receiver.status = 200;
  receiver.answer = "{}";
  await drawer.getByRole("button", { name: en.webhooks.details.replay }).click();
  await drawer.getByText(en.webhooks.delivery.delivered, { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByText(en.table.none).waitFor();

  // The page's state of the bots is older than the last failures.
  let release: (() => void) | undefined;
  await intercept(page, /\/host\/bots$/, async (route) => {
    if (!release) await new Promise<void>((resolve) => (release = resolve));
    await route.continue();
  });
  receiver.status = 410;
  for (const content of ["three", "four"]) await say(content);
  await page.getByRole("row").nth(2).waitFor();
  await until(() => release, "the page asks for its bots");
  receiver.status = 200;
  await page.getByRole("button", { name: en.webhooks.replay.failed }).click();
  const question = dialog(page, en.webhooks.replay.title);
  await question.getByText(uiText("webhooks.replay.hint", { count: 2 })).waitFor();
  release?.();
  await assertGood(page, "the question before all are delivered again");
  await question.getByRole("button", { name: en.webhooks.replay.start }).click();
  await question.getByText(uiText("webhooks.replay.done", { count: 2 })).waitFor();
  await question.getByRole("button", { name: en.webhooks.replay.close }).last().click();
  await page.getByText(en.table.none).waitFor();

  // Pending deliveries show their reason, and can be retried or given up immediately.
  receiver.status = 503;
  await open(page, "#/webhooks?state=waiting");
  for (const content of ["five", "six"]) await say(content);
  await rows(likeText(en.webhooks.nextTry)).waitFor();
  await rows(likeText(en.webhooks.waitsFor)).click();
  await drawer.getByText(en.webhooks.details.tryNowHint).waitFor();
  await assertGood(page, "a delivery that stands behind another");
  await drawer.getByRole("link", { name: likeText(en.webhooks.details.nextAfter) }).click();
  await drawer.getByText("The server responded with HTTP status 503.").waitFor();
  await drawer.getByRole("button", { name: en.webhooks.details.giveUp }).focus();
  await page.keyboard.press("Enter");
  const asked = dialog(page, likeText(en.webhooks.details.giveUpTitle));
  await asked.getByText(uiText("webhooks.details.giveUpLoss", { name: "Booking" })).waitFor();
  await assertGood(page, "the question before a delivery is given up");
  await asked.getByRole("button", { name: likeText(en.webhooks.details.giveUpConfirm) }).click();
  await drawer.getByText(/^Canceled manually\./).waitFor();
  await drawer.getByText(en.webhooks.delivery.failed, { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await rows(likeText(en.webhooks.nextTry)).click();
  await drawer.getByRole("button", { name: en.webhooks.details.tryNow }).click();
  await page.getByText(en.webhooks.details.triedNow).waitFor();
  receiver.status = 200;
  await tryWaiting(server, owner, booking["user_id"]);
  await drawer.getByText(en.webhooks.delivery.delivered, { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  receiver.status = 503;
  for (const content of ["seven", "eight"]) await say(content);
  await rows(likeText(en.webhooks.nextTry)).waitFor();
  await rows(likeText(en.webhooks.waitsFor)).waitFor();
  await page.getByRole("checkbox", { name: en.table.selectAll }).check();
  // Counts from the request on, because automatic retries may have come by then.
  await intercept(page, /\/try$/, (route) => {
    receiver.status = 200;
    return route.continue();
  });
  await assertGood(page, "what is done with several that wait");
  await page
    .getByRole("toolbar")
    .getByRole("button", { name: uiText("webhooks.tryNow.selected", { count: 2 }) })
    .click();
  await page.getByText(uiText("webhooks.tryNow.done", { count: 2 })).waitFor();
  await page.getByText(en.table.none).waitFor();

  await page.getByRole("tab", { name: en.webhooks.log.received }).click();
  await page.getByText(en.webhooks.emptyReceived).waitFor();
  const send = (integration: string) =>
    fetch(`${server.url}/api/v1/external/${integration}?api_key=${github["api_key"]}&stream=boathouse`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ featured_title: "Chat", featured_url: "https://example.com/", token: "between us" }),
    });
  await send("helloworld");
  await send("github");
  await rows(en.webhooks.state.posted).waitFor();
  await rows(en.webhooks.state.refused).click();
  const receipt = page.getByRole("dialog", { name: likeText(en.webhooks.details.receipt) });
  await receipt
    .getByText(/header/)
    .first()
    .waitFor();
  await receipt.getByText('"token": "********"').waitFor();
  await assertGood(page, "a request");
  await open(page, "#/webhooks?log=received&service=helloworld&time=hour");
  await rows(en.webhooks.state.refused).waitFor({ state: "detached" });
  await rows(en.webhooks.state.posted).waitFor();

  await page.getByRole("button", { name: en.webhooks.help.button }).click();
  await dialog(page, en.webhooks.help.title).getByRole("tab", { name: en.webhooks.help.python }).click();
  await page.getByText("def is_from_hearth(secret, headers, body):").waitFor();
  await assertGood(page, "how to check signatures");
  assert.deepEqual(complaints, []);
});

test("an integration's URL contains all choices", () => {
  const parts = { server: "http://h:9400", integration: "github", key: "k", topic: "", options: {} };
  const plain = webhookAddress({ ...parts, channel: undefined, events: undefined });
  assert.equal(plain, "http://h:9400/api/v1/external/github?api_key=k");
  const { pathname, searchParams } = new URL(
    webhookAddress({
      ...parts,
      channel: "dev & ops",
      topic: " night's builds ",
      events: { filter: "exclude_events", names: ["push", "issues*"] },
      options: { branches: "main,release", ignore_private_repositories: "" },
    }),
  );
  assert.equal(pathname, "/api/v1/external/github");
  assert.deepEqual(Object.fromEntries(searchParams), {
    api_key: "k",
    stream: "dev & ops",
    topic: "night's builds",
    exclude_events: '["push","issues*"]',
    branches: "main,release",
  });
});

test("tells which URLs services on the internet cannot reach", () => {
  const local = ["127.0.0.1:9400", "192.168.1.7", "172.20.0.2", "100.100.1.1", "[::1]", "[fd00::1]"];
  const names = ["localhost:9400", "desk", "desk.local", "desk.fritz.box.lan", "desk.home.arpa"];
  const global = ["chat.example.com", "172.32.0.1", "100.128.0.1", "[2001:db8::1]", "11.0.0.1", "10.example.com"];
  const reached = [...local, ...names, ...global].filter((host) => !isLocalAddress(`https://${host}/`));
  assert.deepEqual(reached, global);
});

test("sets up a service with a built URL", async (t) => {
  const { path, people } = await dataFolder(t);
  const server = await serveHere(t, path);
  const [owner] = people as [Person];
  await call(server.url, owner, "POST /users/me/subscriptions", { subscriptions: [{ name: "boathouse" }] });
  const { page, complaints } = await signedIn(t, server);
  await open(page, "#/integrations");
  await page.getByRole("row", { name: "Grafana" }).waitFor();
  await assertGood(page, "the list of integrations");
  await page.getByRole("row", { name: "GitHub", exact: true }).click();
  const drawer = dialog(page, "GitHub");
  await drawer.getByText(en.integrations.noBot).waitFor();
  await drawer.getByRole("button", { name: uiText("integrations.makeBot", { name: "GitHub" }) }).click();
  const form = dialog(page, uiText("bots.new.titleOf", { kind: en.bots.kind.incoming }));
  const botName = form.getByLabel(en.bots.field.full_name, { exact: true });
  assert.equal(await botName.inputValue(), "GitHub");
  await botName.fill("Builder");
  await form.getByRole("button", { name: en.bots.new.submitUnnamed }).click();
  const { host } = new URL(server.url);
  await drawer.getByText(uiText("integrations.localOnly", { host, name: "GitHub" })).waitFor();
  await drawer.getByLabel(en.integrations.topic, { exact: true }).fill("builds");
  await drawer.getByRole("combobox", { name: en.integrations.events }).click();
  await page.getByRole("option", { name: en.integrations.eventChoice.only }).click();
  await drawer.getByRole("combobox", { name: en.integrations.chosenEvents }).fill("issues");
  await page
    .getByRole("option", { name: "issues", exact: true })
    .and(page.locator("[data-combobox-selected]"))
    .waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  const address = drawer.getByRole("region", { name: uiText("integrations.address", { name: "GitHub" }) });
  assert.match((await address.textContent()) ?? "", /api_key=…&stream=boathouse&topic=builds&only_events=/);
  await drawer.getByText("Settings → Webhooks → Add webhook").waitFor();
  await assertGood(page, "an integration");
  await drawer.getByLabel(en.integrations.showKey).click();
  const url = (await address.textContent()) ?? "";
  const send = (event: string) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "x-github-event": event },
      body: JSON.stringify({
        action: "opened",
        issue: { number: 7, title: "It rains", html_url: "https://git.example/7", body: "", user: { login: "ada" } },
        repository: { name: "weather", full_name: "ada/weather", html_url: "https://git.example" },
        sender: { login: "ada", html_url: "https://git.example/ada" },
      }),
    });
  assert.equal((await send("issues")).status, 200);
  await drawer.getByText(en.bots.request.posted, { exact: true }).waitFor();
  const { messages } = await call(server.url, owner, "GET /messages", {
    anchor: "newest",
    num_before: 1,
    num_after: 0,
    narrow: [["channel", "boathouse"]],
  });
  assert.deepEqual([messages[0].sender_full_name, messages[0].subject], ["Builder", "builds"]);
  await page.keyboard.press("Escape");
  await page.getByRole("row", { name: "GitHub", exact: true }).getByText(en.bots.health.works).waitFor();
  assert.deepEqual(complaints, []);
});
