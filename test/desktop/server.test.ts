import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, renameSync } from "node:fs";
import { createServer } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { isLocked } from "../../server/host/supervisor/lock.ts";
import { type DesktopApp, startDesktop } from "../support/desktop.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { until } from "../support/patience.ts";
import { desktopTest } from "../support/programs.ts";
import { dataFolder } from "../support/server-process.ts";

/** Each reload would leave two polls, more than the app may remember. */
const RELOADS = IS_LONG_RUN ? 20 : 3;

desktopTest("the page and the server survive each other's failures", async (t) => {
  const { path } = await dataFolder(t);
  const desktop = await startDesktop(t, { dataFolder: path });
  await desktop.running();
  for (const [name, check] of Object.entries(checks))
    await t.test(name, async (t) => check(desktop, await desktop.page(), t));
});

/** A held poll gets a heartbeat after this time at the earliest. */
const HEARTBEAT_MS = 45_000;

/** How many queues of the app's own pages are being polled, according to the server. */
async function waiting({ dataFolder }: DesktopApp): Promise<number> {
  const { url, token } = JSON.parse(readFileSync(join(dataFolder, "host.json"), "utf8"));
  const response = await fetch(`${url}/host/state`, { headers: { authorization: `Bearer ${token}` } });
  const { queues } = (await response.json()) as { queues: { pages: { waiting: number } } };
  return queues.pages.waiting;
}

/** Waits until none of the polls below remain, except the page's own. */
async function nothingIsHeld(desktop: DesktopApp): Promise<void> {
  const isSo = async () => {
    const passedOn = (await desktop.openRequests()).filter((path) => path.startsWith("/api/v1/events?"));
    const isOurs = passedOn.some((path) => path.includes("&poll="));
    return (!isOurs && (await waiting(desktop)) === passedOn.length) || undefined;
  };
  await until(isSo, "no poll is held but the page's own", HEARTBEAT_MS - 5_000);
}

/** Makes the page register this many queues and hold a poll on each. */
const poll = (page: Page, times: number) =>
  page.evaluate(async (count) => {
    const controller = new AbortController();
    (globalThis as any).stopPolling = () => controller.abort();
    const register = () =>
      fetch("/api/v1/register", { method: "POST", body: new URLSearchParams({ event_types: "[]" }) });
    const queues: any[] = await Promise.all(Array.from({ length: count }, async () => (await register()).json()));
    (globalThis as any).polls = queues.map(({ queue_id }, index) =>
      fetch(`/api/v1/events?queue_id=${queue_id}&last_event_id=-1&poll=${index}`, { signal: controller.signal }).then(
        (response) => response.status,
        (error: Error) => error.name,
      ),
    );
  }, times);

/** How many page requests the main process still remembers, including held polls. */
const remembered = ({ ask }: DesktopApp) =>
  ask(() => process.getBuiltinModule("node:v8").queryObjects(AbortController, { format: "count" }) as number);

const ourPolls = async (desktop: DesktopApp) =>
  (await desktop.openRequests()).filter((path) => path.includes("&poll="));

/** The target of the build (main/vite.config.ts). The pinned Node is newer than Electron's. */
const TARGET = /^const ELECTRON_NODE = "node(\d+)";$/m.exec(readFileSync("main/vite.config.ts", "utf8"))?.[1];

const checks: Record<string, (desktop: DesktopApp, page: Page, t: TestContext) => Promise<void>> = {
  "the server runs on Electron's Node, which is the target of the build": async ({ dataFolder }) => {
    const { url, token } = JSON.parse(readFileSync(join(dataFolder, "host.json"), "utf8"));
    const log = await fetch(`${url}/host/logs?text=started`, { headers: { authorization: `Bearer ${token}` } });
    const { lines } = (await log.json()) as { lines: { msg: string; node?: string; electron?: string | null }[] };
    const started = lines.find(({ msg }) => msg === "The server has started");
    assert.match(started?.electron ?? "", /^\d+\./);
    assert.equal(/^v(\d+)/.exec(started?.node ?? "")?.[1], TARGET);
  },

  "a long message and its answer arrive unchanged": async (_desktop, page) => {
    const content = `${"Fire, wood and ash. ".repeat(400)}Zoë 🔥`;
    const answer = await page.evaluate(async (text) => {
      const create = new URLSearchParams({ subscriptions: '[{"name":"hearth"}]' });
      const made = await fetch("/api/v1/users/me/subscriptions", { method: "POST", body: create });
      const form = new FormData();
      for (const [name, value] of Object.entries({ type: "channel", to: "hearth", topic: "wood", content: text }))
        form.append(name, value);
      const sent: any = await (await fetch("/api/v1/messages", { method: "POST", body: form })).json();
      const read: any = await (await fetch(`/api/v1/messages/${sent.id}?apply_markdown=false`)).json();
      return { made: made.status, sent, content: read.message?.content, read };
    }, content);
    assert.deepEqual([answer.made, answer.sent.result, answer.content], [200, "success", content]);
  },

  "polls do not use up Chromium's connections": async (desktop, page) => {
    await poll(page, 12);
    await until(async () => ((await ourPolls(desktop)).length === 12 ? true : undefined), "12 polls are held");
    assert.equal(await page.evaluate(async () => (await fetch("/api/v1/users/me")).status), 200);
  },

  "an aborted poll is aborted at the server": async (desktop, page) => {
    const outcomes = await page.evaluate(() => {
      (globalThis as any).stopPolling();
      return Promise.all((globalThis as any).polls);
    });
    assert.deepEqual(outcomes, Array(12).fill("AbortError"));
    await nothingIsHeld(desktop);
  },

  "aborted answers do no harm": async (desktop, page) => {
    const outcomes = await page.evaluate(async () => {
      const found = { cut: 0, whole: 0 };
      const one = async (index: number) => {
        const controller = new AbortController();
        try {
          const response = await fetch("/api/v1/openapi.json", { signal: controller.signal });
          if (index % 3 === 0) controller.abort();
          else setTimeout(() => controller.abort(), index % 7);
          await response.text();
          found.whole += 1;
        } catch {
          found.cut += 1;
        }
      };
      for (let index = 0; index < 40; index += 8)
        await Promise.all(Array.from({ length: 8 }, (_, more) => one(index + more)));
      return found;
    });
    assert.equal(outcomes.cut + outcomes.whole, 40);
    assert.ok(outcomes.cut >= 10, JSON.stringify(outcomes));
    assert.equal(await page.evaluate(async () => (await fetch("/api/v1/users/me")).status), 200);
    assert.doesNotMatch(desktop.output, /uncaught|unhandled/i);
    assert.deepEqual(await desktop.opened(), []); // and no error box
  },

  "a page that is reloaded leaves no poll behind": async (desktop, page) => {
    const before = await remembered(desktop);
    for (let count = 0; count < RELOADS; count++) {
      await poll(page, 2);
      const held = async () => ((await ourPolls(desktop)).length === 2 ? true : undefined);
      await until(held, `the polls of life ${count} are held`);
      // The server counts these polls, so they are real.
      if (count === 0) {
        await until(async () => ((await waiting(desktop)) >= 2 ? true : undefined), "the server counts them");
      }
      await page.reload();
    }
    await nothingIsHeld(desktop);
    const isForgotten = async () => (await remembered(desktop)) <= before + 5 || undefined;
    await until(isForgotten, "the main process has forgotten them");
  },

  "a crashed page reloads and leaves no poll": async (desktop, page) => {
    await page.evaluate(() => ((globalThis as any).firstLife = true));
    await poll(page, 3);
    await until(async () => ((await ourPolls(desktop)).length === 3 ? true : undefined), "three polls are held");
    const { token } = JSON.parse(readFileSync(join(desktop.dataFolder, "host.json"), "utf8"));
    await crash(desktop);
    await nothingIsHeld(desktop);
    await until(() => bridgeIsThere(desktop), "the page is back");
    assert.equal(JSON.parse(readFileSync(join(desktop.dataFolder, "host.json"), "utf8")).token, token);
  },

  "a hanging page can be reloaded from a dialog": async (desktop) => {
    await inPage(desktop, "globalThis.firstLife = true; setTimeout(() => { for (;;); }); 0");
    const ends = () => desktop.output.split("The window's process ended").length;
    const before = ends();
    // Electron emits this after a while.
    await desktop.ask(({ BrowserWindow }) => {
      for (const _ of [1, 2]) BrowserWindow.getAllWindows()[0]!.emit("unresponsive");
    });
    const question = await desktop.question();
    assert.deepEqual(
      [question.message, question.buttons],
      ["Hearth's window isn't responding.", ["Reload", "Quit", "Wait"]],
    );
    await question.answer("Reload");
    await until(() => ends() > before || undefined, "its process is ended");
    await until(() => bridgeIsThere(desktop), "the page is back");
  },

  "a page that keeps crashing shows a dialog": async (desktop) => {
    await crash(desktop);
    await until(() => bridgeIsThere(desktop), "the page is back");
    await crash(desktop);
    const question = await desktop.question();
    assert.deepEqual([question.message, question.buttons], ["Hearth's window keeps crashing.", ["Reload", "Quit"]]);
    await question.answer("Reload");
    await until(() => bridgeIsThere(desktop), "the page is back");
  },

  "requests during a restart of the thread get 503": async (desktop) => {
    await listen(desktop);
    await desktop.endThread();
    await until(async () => ((await states(desktop)).includes("restarting") ? true : undefined), "it hears");
    const down = await inPage(
      desktop,
      `fetch("/api/v1/users/me").then(async (r) => [r.status, (await r.json()).code])`,
    );
    assert.deepEqual(down, [503, "SERVER_NOT_READY"]);
    await until(async () => ((await states(desktop)).at(-1) === "running" ? true : undefined), "it runs again");
    assert.deepEqual(await states(desktop), ["running", "restarting", "running"]);
    assert.equal(await inPage(desktop, `fetch("/api/v1/users/me").then((r) => r.status)`), 200);
  },

  "a program that takes the port never gets the credential": async (desktop, _, t) => {
    const heard: (string | undefined)[] = [];
    const other = createServer(({ headers }, answer) => {
      heard.push(headers.authorization);
      answer.end();
    });
    // Like a system that resets connections which the ended thread had not accepted.
    let isResetting = true;
    other.on("connection", (socket) => {
      if (isResetting) setTimeout(() => socket.resetAndDestroy(), 100);
    });
    t.after(() => other.close());
    await listen(desktop);
    const isTaken = async () => {
      await hearOfEndLate(desktop);
      await desktop.endThread(); // even if it has already restarted
      other.listen(desktop.port, "127.0.0.1");
      return once(other, "listening").then(
        () => true,
        () => undefined,
      );
    };
    await until(isTaken, "the other program has the port");
    const early = await inPage(desktop, `fetch("/api/v1/users/me").then((r) => r.status)`);
    assert.deepEqual([early, heard], [503, []], "asked before the main process heard of the end");
    isResetting = false;
    assert.deepEqual(await desktop.opened(), [], "no error box");
    const told = () => /in use by another program/.test(desktop.output) || undefined;
    await until(told, "the server cannot be started");
    const answers = await inPage(
      desktop,
      `Promise.all(["/host/state", "/api/v1/users/me"].map((path) => fetch(path).then((r) => r.status)))`,
    );
    assert.deepEqual([answers, heard], [[503, 503], []]);
    // The server waits this long for its previous port.
    await desktop.app.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() + 60_000;
    });
    const question = await desktop.question();
    assert.match(question.message, new RegExp(`^Port ${desktop.port} is used by `));
    assert.equal((await states(desktop)).at(-1), "stopped");
    other.close();
    await question.answer("Try Again");
    await until(async () => ((await states(desktop)).at(-1) === "running" ? true : undefined), "it runs again");
    assert.deepEqual(heard, []);
  },

  "a failed restart shows a dialog that can retry": async (desktop) => {
    const secret = join(desktop.dataFolder, "secret.key");
    renameSync(secret, `${secret}.away`);
    await desktop.endThread();
    const question = await desktop.question();
    assert.equal(question.message, "Hearth has stopped hosting your organization.");
    assert.ok(question.detail.includes("secret.key"), question.detail);
    assert.equal((await states(desktop)).at(-1), "stopped");
    renameSync(`${secret}.away`, secret);
    await question.answer("Try Again");
    await until(async () => ((await states(desktop)).at(-1) === "running" ? true : undefined), "it runs again");
    assert.equal(await inPage(desktop, `fetch("/api/v1/users/me").then((r) => r.status)`), 200);
  },

  "opening and closing the network moves the server": async (desktop) => {
    const { port } = desktop;
    const outside = Object.values(networkInterfaces())
      .flatMap((all = []) => all)
      .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
    const answers = (address: string) =>
      fetch(`http://${address}:${port}/api/v1/server_settings`).then(
        (response) => response.status,
        () => "refused",
      );
    await listen(desktop);
    const settings = await inPage(desktop, "hearth.setNetwork({ lan: true })");
    assert.deepEqual([settings.lan, settings.port, desktop.settings().lan], [true, port, true]);
    assert.deepEqual(await states(desktop), ["running", "restarting", "running"]);
    assert.equal(JSON.parse(readFileSync(join(desktop.dataFolder, "host.json"), "utf8")).url, `http://0.0.0.0:${port}`);
    assert.equal(await answers("127.0.0.1"), 200);
    if (outside) assert.equal(await answers(outside), 200);
    assert.equal(await inPage(desktop, `fetch("/api/v1/users/me").then((r) => r.status)`), 200);
    await inPage(desktop, "hearth.setNetwork({ lan: false })");
    assert.equal(desktop.settings().lan, false);
    assert.equal(await answers("127.0.0.1"), 200);
    if (outside) assert.equal(await answers(outside), "refused");
  },

  "closing the window ends the app even if the page objects": async (desktop) => {
    await desktop.ask(({ BrowserWindow }) => {
      const asIfClicked = true;
      const code = 'onbeforeunload = (event) => event.preventDefault() ?? "Stay"; 0';
      return BrowserWindow.getAllWindows()[0]!.webContents.executeJavaScript(code, asIfClicked);
    });
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
    assert.equal(await desktop.ended, 0);
    assert.equal(isLocked(desktop.dataFolder), false);
    assert.throws(() => readFileSync(join(desktop.dataFolder, "host.json")));
    assert.ok(desktop.settings().window);
  },
};

// Playwright's page does not survive a crash, so these evaluate through the main process.
function inPage(desktop: DesktopApp, code: string): Promise<any> {
  return desktop.ask(
    ({ BrowserWindow }, text) => BrowserWindow.getAllWindows()[0]!.webContents.executeJavaScript(text),
    code,
  );
}

const bridgeIsThere = async (desktop: DesktopApp) => {
  const isLoading = await desktop.ask(({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!;
    return webContents.isLoading() || webContents.isCrashed();
  });
  if (isLoading) return undefined;
  return (await inPage(desktop, `typeof hearth === "object" && !globalThis.firstLife`)) || undefined;
};

const crash = (desktop: DesktopApp) =>
  desktop.app.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>((resolve) => {
        const { webContents } = BrowserWindow.getAllWindows()[0]!;
        webContents.once("render-process-gone", () => resolve());
        webContents.forcefullyCrashRenderer();
      }),
  );

/** Delays the main process's notification of the thread's end by half a second. */
const hearOfEndLate = (desktop: DesktopApp) =>
  desktop.ask(() => {
    const worker = (globalThis as any).hearthTest.workers.at(-1);
    const emit = worker.emit.bind(worker);
    worker.emit = (name: string, ...rest: unknown[]) => {
      if (name !== "exit") return emit(name, ...rest);
      // Node removes the listeners right after this.
      const listeners = worker.listeners("exit");
      setTimeout(() => {
        for (const listener of listeners) listener(...rest);
      }, 500);
      return true;
    };
  });

const listen = (desktop: DesktopApp) =>
  inPage(
    desktop,
    "globalThis.states = []; globalThis.unlisten?.(); globalThis.unlisten = hearth.onServerState((state) => states.push(state)); 0",
  );
const states = (desktop: DesktopApp): Promise<string[]> => inPage(desktop, "states");
