import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { dataSet } from "./data-set.ts";
import { accountsOf } from "./organization.ts";
import { type Child, removeFolder, startHearth } from "./processes.ts";
import { getRequest } from "./requests.ts";
import type { Section } from "./section.ts";
import { dice, word } from "./texts.ts";

const PAGES = 300;
const SEARCHES = 30;
const PROBE_MS = 5;

/**
 * Measures a start, and how long a reader of old history blocks everyone, with a cold page cache: reads are
 * synchronous. Caches of the disk itself or of a virtual machine's host stay warm.
 */
export const cold: Section = async ({ load, quick, messages, tell }) => {
  if (process.platform !== "linux") return console.error("cold: only GNU dd can drop a file from the system's cache.");
  const { folder, people } = await dataSet(messages);
  const reader = accountsOf(folder, people)[4] as ReturnType<typeof accountsOf>[number];
  dropFromCache(folder);
  const hearth = await startHearth(folder);
  const of = `${messages.toLocaleString("en")} messages, cold`;
  tell({ name: `start with ${of}`, value: hearth.startedIn, unit: "ms" });
  const random = dice(7);
  const page = (fields: object) =>
    getRequest(reader, "/messages", { num_before: 100, num_after: 0, narrow: "[]", ...fields });
  const read = Array.from({ length: quick ? PAGES / 10 : PAGES }, () =>
    page({ anchor: 1 + Math.floor(random() * messages) }),
  );
  const search = Array.from({ length: quick ? SEARCHES / 10 : SEARCHES }, (_, rank) =>
    page({ anchor: "newest", narrow: JSON.stringify([{ operator: "search", operand: word(rank * 20) }]) }),
  );
  for (const [name, requests] of Object.entries({ "old history": read, searches: search })) {
    const before = readFromDisk(hearth.pid);
    const probe = startProbe(hearth);
    const { times } = await load.run({ task: "once", port: hearth.port, requests, connections: 1 });
    const longest = await probe.longest();
    const more = { times, readFromDiskMb: (readFromDisk(hearth.pid) - before) / 2 ** 20 };
    tell({ name: `longest wait of others during ${name}, ${of}`, value: longest, unit: "ms", atMost: 100, more });
    tell({ name: `${name}: median, ${of}`, value: times.median, unit: "ms", more });
  }
  await hearth.stop();
  removeFolder(folder);
};

function dropFromCache(folder: string): void {
  const paths = ["hearth.db", "hearth.sums", ...readdirSync(join(folder, "log")).map((name) => `log/${name}`)];
  for (const path of paths) {
    const file = join(folder, path);
    // With a count of 0, dd asks the system to drop the file's pages. Pages that are not on disk cannot be dropped.
    if (existsSync(file) && statSync(file).isFile())
      execFileSync("dd", [`of=${file}`, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none"]);
  }
}

/** Bytes that a process read from the disk. */
const readFromDisk = (pid: number): number =>
  Number(/^read_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);

/** Sends a small request again and again. The longest response time shows how long the server did nothing else. */
function startProbe({ url }: Child): { longest(): Promise<number> } {
  let [ended, longest] = [false, 0];
  const asked = (): Promise<void> =>
    new Promise((resolve, reject) => {
      get(`${url}/api/v1/server_settings`, (response) => response.resume().on("end", resolve)).on("error", reject);
    });
  const running = (async () => {
    while (!ended) {
      const start = performance.now();
      await asked();
      longest = Math.max(longest, performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    }
  })();
  return {
    async longest() {
      ended = true;
      await running;
      return longest;
    },
  };
}
