import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isLocked } from "../../server/host/supervisor/lock.ts";
import { openStore } from "../../server/storage/store.ts";
import { type DesktopApp, startDesktop } from "../support/desktop.ts";
import { until } from "../support/patience.ts";
import { desktopTest } from "../support/programs.ts";
import { call, type DataFolder, dataFolder, endBeforeRemoval } from "../support/server-process.ts";

// Quitting waits for the server, so no acknowledged message is lost and no process remains.

/** The heartbeat ends the page's poll after 45 s at the earliest. Quitting does not wait for it. */
const MOST_SECONDS = 40;

/** Quitting disconnects connected apps, so these ways ask for confirmation, only once. */
async function quitAfterQuestion(desktop: DesktopApp): Promise<void> {
  const question = await desktop.question();
  assert.deepEqual([question.message, question.buttons], ["1 person is online now.", ["Quit", "Keep Hosting"]]);
  assert.equal(await desktop.ask(() => (globalThis as any).hearthTest.questions.length), 1);
  await question.answer("Quit");
}

const ways: Record<string, (desktop: DesktopApp) => Promise<unknown>> = {
  "Quit in the menu": async (desktop) => {
    await desktop.app.evaluate(({ app: itself }) => {
      // Runs in a later turn, so that this call gets its response first.
      setTimeout(() => itself.quit(), 0);
    });
    await quitAfterQuestion(desktop);
  },
  // Without a tray.
  "the window's close button": async (desktop) => {
    await desktop.app.evaluate(({ BrowserWindow }) => {
      for (const _ of [1, 2]) setTimeout(() => BrowserWindow.getAllWindows()[0]!.close(), 0);
    });
    await quitAfterQuestion(desktop);
  },
  SIGTERM: async ({ child }) => child.kill("SIGTERM"),
  SIGINT: async ({ child }) => child.kill("SIGINT"),
};

for (const [way, quit] of Object.entries(ways)) {
  desktopTest(`${way} under load loses no acknowledged message`, async (t) => {
    const folder = await dataFolder(t);
    const desktop = await startDesktop(t, { dataFolder: folder.path });
    await desktop.running();
    await (await desktop.page()).evaluate(async () => {
      // The load must last until the server has ended.
      const RATE_LIMITS = JSON.stringify({ api_by_user: [[60, 1_000_000]] });
      await fetch("/host/settings", { method: "PATCH", body: new URLSearchParams({ RATE_LIMITS }) });
      const body = new URLSearchParams({ event_types: '["message"]' });
      void fetch("/api/v1/register", { method: "POST", body })
        .then((response) => response.json())
        .then(({ queue_id }: any) => fetch(`/api/v1/events?queue_id=${queue_id}&last_event_id=-1&held=1`));
    });
    const held = async () => (await desktop.openRequests()).find((path) => path.includes("held=1"));
    await until(held, "the page's poll is held");
    const load = send(folder, `http://127.0.0.1:${desktop.port}`);
    await until(() => (load.acknowledged.size > 60 ? true : undefined), "sends are acknowledged");
    const began = performance.now();
    await quit(desktop);
    assert.equal(await desktop.ended, 0);
    assert.ok((performance.now() - began) / 1000 < MOST_SECONDS);
    await load.ended;
    assert.deepEqual([isLocked(folder.path), existsSync(join(folder.path, "host.json"))], [false, false]);
    const store = await openStore({ folder: folder.path });
    endBeforeRemoval(t, () => store.close());
    assert.equal(store.report.torn, undefined);
    const kept = new Map(
      store.reader.all<{ id: number; content: string }>("SELECT id, content FROM messages").map((row) => [row.id, row]),
    );
    for (const [id, content] of load.acknowledged) assert.equal(kept.get(id)?.content, content, `message ${id}`);
    assert.ok(load.failures > 0, "the load went on until the server was gone");
  });
}

desktopTest("quitting during startup lets a second start continue", async (t) => {
  const { path } = await dataFolder(t);
  const desktop = await startDesktop(t, { dataFolder: path });
  await desktop.app.evaluate(({ app: itself }) => {
    itself.relaunch = () => console.error("It starts again.");
    setTimeout(() => {
      itself.quit();
      itself.quit();
      itself.emit("second-instance");
    });
  });
  assert.equal(await desktop.ended, 0);
  assert.match(desktop.output, /It starts again\./);
  assert.deepEqual([isLocked(path), existsSync(join(path, "host.json"))], [false, false]);
});

/** Everyone sends direct messages, two at a time, until the server has stopped. */
function send({ people }: DataFolder, url: string) {
  const acknowledged = new Map<number, string>();
  const load = { acknowledged, failures: 0, ended: Promise.resolve() };
  const sender = async (index: number, stream: number) => {
    const to = [(people[(index + 1) % people.length] as { id: number }).id];
    for (let count = 0; ; count++) {
      const content = `${index}.${stream}.${count}`;
      try {
        const answer = await call(url, people[index]!, "POST /messages", { type: "direct", to, content });
        if (answer.status === 200) acknowledged.set(answer["id"], content);
        else load.failures += 1;
      } catch {
        load.failures += 1;
        return;
      }
    }
  };
  const senders = people.flatMap((_, index) => [sender(index, 0), sender(index, 1)]);
  load.ended = Promise.all(senders).then(() => {});
  return load;
}
