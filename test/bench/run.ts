import { writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { adminWindow } from "./admin-window.ts";
import { attacks } from "./attacks.ts";
import { audience } from "./audience.ts";
import { backup } from "./backup.ts";
import { channels } from "./channels.ts";
import { chatDay } from "./chat-day.ts";
import { chatPage } from "./chat-page.ts";
import { cold } from "./cold.ts";
import { costs } from "./costs.ts";
import { deliveries } from "./deliveries.ts";
import { fanout, queues } from "./fanout.ts";
import { type Figure, isReached, table } from "./figures.ts";
import { files } from "./files.ts";
import { startLoad } from "./generator.ts";
import { imports } from "./imports.ts";
import { large } from "./large.ts";
import { messages } from "./messages.ts";
import { phones } from "./phones.ts";
import { pictures } from "./pictures.ts";
import { prices } from "./prices.ts";
import { nodeOptions } from "./processes.ts";
import type { Section } from "./section.ts";
import { sends } from "./sends.ts";
import { soak } from "./soak.ts";
import { start } from "./start.ts";

// npm run bench: how fast Hearth is on this machine, each figure next to the machine's own limit. It always exits with
// 0, because a figure is not a test. The figures are meaningful only on a quiet machine.

const USAGE = `npm run bench -- [attacks|imports|prices|soak] [--only NAME,…]
    [--rows TEXT] [--quick] [--messages 1000000] [--json FILE] [--profile FOLDER]
  attacks      one part by its name alone; without names, all but the attacks, the imports, the prices and the soak
  --rows       only the attacks, or the prices, whose name has this text in it; the table in docs/ stays
  --quick      short runs, for a look
  --messages   of the large data set, which is kept for later runs
  --profile    CPU profiles of the servers, to be read with: node test/bench/profile.ts FILE`;

const usual: Record<string, Section> = {
  start,
  costs,
  sends,
  fanout,
  queues,
  audience,
  messages,
  channels,
  deliveries,
  phones,
  backup,
  files,
  pictures,
  "chat-page": chatPage,
  "chat-day": chatDay,
  "admin-window": adminWindow,
  large,
  cold,
};
const sections: Record<string, Section> = { ...usual, attacks, imports, prices, soak };

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: Object.keys(usual).join() },
    rows: { type: "string", default: "" },
    quick: { type: "boolean", default: false },
    messages: { type: "string", default: "1000000" },
    json: { type: "string" },
    profile: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

export async function bench(): Promise<void> {
  const names = positionals.length > 0 ? positionals : options.only.split(",");
  const unknown = names.find((name) => !Object.hasOwn(sections, name));
  const messages = Number(options.messages);
  if (options.help || unknown !== undefined || !(messages >= 10_000)) return console.log(USAGE);
  if (options.profile) nodeOptions.push("--cpu-prof", `--cpu-prof-dir=${options.profile}`);
  const machine = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`;
  console.log(machine);
  const figures: Figure[] = [];
  for (const name of names) {
    const load = startLoad();
    try {
      const tell = (figure: Figure) => {
        figures.push(figure);
        if (process.stderr.isTTY) console.error(`  ${figure.name}: ${figure.value.toPrecision(4)} ${figure.unit}`);
      };
      await sections[name]?.({ load, quick: options.quick, rows: options.rows, messages, tell });
    } catch (error) {
      console.error(`${name} could not be measured:`, error);
    } finally {
      load.close();
    }
  }
  console.log(table(figures));
  if (options.json) {
    const reached = figures.map((figure) => ({ ...figure, reached: isReached(figure) ?? null }));
    writeFileSync(options.json, `${JSON.stringify({ machine, quick: options.quick, figures: reached }, null, 2)}\n`);
  }
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));
await bench();
process.exit(0);
