import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { openStore } from "../../server/storage/store.ts";
import { IS_LONG_RUN } from "../support/long-run.ts";
import { seeded } from "../support/recording-files.ts";
import { bodyOf, childSchema } from "../support/storage-child.ts";

const KILLS = IS_LONG_RUN ? 1000 : 10;
const CHILD = fileURLToPath(new URL("../support/storage-child.ts", import.meta.url));

interface Life {
  acknowledged: number[];
  events: number[];
  /** The newest row and event ID at the start. */
  found: { row: number; event: number };
}

function live(folder: string, ms: number | "at the start"): Promise<Life> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, folder], { stdio: ["ignore", "pipe", "pipe"] });
    let [text, errors, killed] = ["", "", false];
    const kill = () => {
      killed = true;
      child.kill("SIGKILL");
    };
    let timer: NodeJS.Timeout | undefined;
    if (ms === "at the start") timer = setTimeout(kill, 120);
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      if (ms !== "at the start" && /^\d+$/m.test(text)) timer ??= setTimeout(kill, ms);
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => (errors += part));
    child.once("close", (code) => {
      clearTimeout(timer);
      if (!killed) return reject(new Error(`The child ended with ${code}: ${errors}`));
      const lines = text.split("\n").slice(0, -1);
      const [, row, event] = lines.find((line) => line.startsWith("open "))?.split(" ") ?? [];
      resolve({
        acknowledged: lines.filter((line) => /^\d+$/.test(line)).map(Number),
        events: lines.filter((line) => line.startsWith("event ")).map((line) => Number(line.slice(6))),
        found: { row: Number(row ?? Number.NaN), event: Number(event ?? Number.NaN) },
      });
    });
  });
}

test(`acknowledged writes survive ${KILLS} kills intact and once`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-kill-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const pick = seeded(80);
  const acknowledged = new Set<number>();
  let [newest, newestEvent] = [0, 0];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const life = await live(folder, kill % 10 === 9 ? "at the start" : 50 + Math.floor(pick() * 120));
    if (!Number.isNaN(life.found.row)) {
      assert.ok(life.found.row >= newest, `kill ${kill}: row ${newest} was acknowledged, ${life.found.row} is there`);
      assert.ok(
        life.found.event >= newestEvent,
        `kill ${kill}: event ids go back from ${newestEvent} to ${life.found.event}`,
      );
    }
    for (const id of life.acknowledged) {
      assert.ok(!acknowledged.has(id), `row ${id} was acknowledged twice`);
      acknowledged.add(id);
      newest = Math.max(newest, id);
    }
    for (const id of life.events) {
      assert.ok(id > newestEvent, `event ${id} after ${newestEvent}`);
      newestEvent = id;
    }
  }
  t.diagnostic(`${acknowledged.size} rows acknowledged`);
  assert.ok(acknowledged.size > KILLS);

  const store = await openStore({ folder, testing: { migrations: childSchema, segmentSize: 1 << 20 } });
  const rows = new Map(
    store.reader.all<{ id: number; body: string }>("SELECT id, body FROM rows").map(({ id, body }) => [id, body]),
  );
  for (const id of acknowledged) assert.equal(rows.get(id), bodyOf(id));
  assert.equal(store.reader.value("SELECT count FROM counts"), rows.size);
  assert.equal(store.reader.value("SELECT count(*) FROM rows WHERE previous <> id - 1"), 0);
  await store.close();
});
