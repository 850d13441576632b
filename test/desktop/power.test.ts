import assert from "node:assert/strict";
import { startDesktop } from "../support/desktop.ts";
import { until } from "../support/patience.ts";
import { desktopTest } from "../support/programs.ts";
import { call, dataFolder } from "../support/server-process.ts";

// Connected people get the system's sleep events.

desktopTest("sleep ends polls, and waking allows them again", async (t) => {
  const { path, people } = await dataFolder(t);
  const desktop = await startDesktop(t, { dataFolder: path });
  await desktop.running();
  const url = `http://127.0.0.1:${desktop.port}`;
  const hamlet = people[1]!;
  const { queue_id } = await call(url, hamlet, "POST /register", { event_types: ["message"] });
  const poll = () => call(url, hamlet, "GET /events", { queue_id, last_event_id: -1 });
  const system = (event: "suspend" | "resume") =>
    desktop.ask(({ powerMonitor }, name) => void powerMonitor.emit(name), event);
  const held = poll();
  // The server does not report whether it holds the poll; a late poll is refused as well.
  await system("suspend");
  const told = await held;
  assert.deepEqual([told.status, told["code"]], [503, "SERVER_NOT_READY"]);
  assert.equal((await poll()).status, 503);
  await system("resume");
  const again = async () => {
    const first = poll();
    const { status } = await Promise.race([first, wait(500)]);
    return status === 0 ? { answer: first } : undefined;
  };
  const waiting = await until(again, "a poll waits");
  await call(url, people[2]!, "POST /messages", { type: "direct", to: [hamlet.id], content: "good morning" });
  assert.equal((await waiting.answer).status, 200);
  assert.equal(await desktop.quit(), 0);
});

const wait = (ms: number) => new Promise<{ status: number }>((resolve) => setTimeout(() => resolve({ status: 0 }), ms));
