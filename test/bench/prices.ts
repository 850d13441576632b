import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { FULL, type FullOrganization, fullOrganization, NEARLY_EMPTY } from "./full-organization.ts";
import { ask, asked } from "./http-requests.ts";
import { PRICES } from "./price-list.ts";
import { cpuSeconds, removeFolder, startHearth } from "./processes.ts";
import type { Section } from "./section.ts";

const PAGE = new URL("../../docs/prices.md", import.meta.url);
const [BEGIN, END] = ["<!-- prices -->", "<!-- /prices -->"];
const TIMES = 2;
/** A checkpoint during a request would count as its CPU. */
const NO_CHECKPOINT = 2 ** 40;

/** Measures the most expensive legal request of each family and writes the table of docs/prices.md. */
export const prices: Section = async ({ quick, rows: chosen, tell }) => {
  const fullness = quick ? NEARLY_EMPTY : FULL;
  const organization = await fullOrganization(fullness);
  const hearth = await startHearth(organization.folder, NO_CHECKPOINT);
  const rows: string[] = [];
  await makeBots(organization, hearth.port);
  for (const { calls, dearest, bound, request, times, refused } of PRICES) {
    const name = `${calls.join(", ")}: ${dearest}`;
    if (!name.includes(chosen)) continue;
    let bytes = 0;
    let status = 0;
    // Runs once before, since code is compiled and loaded once, unless that would store something twice.
    if (times === undefined) await ask(request(organization, 0), hearth.port);
    const start = cpuSeconds(hearth.pid);
    for (let round = 0; round < (times ?? TIMES); round += 1) {
      const answer = await ask(request(organization, round), hearth.port);
      [bytes, status] = [Buffer.byteLength(answer.body), answer.status];
      if ((status === 200) === (refused === true)) throw new Error(`${name}: ${answer.body.slice(0, 300)}`);
    }
    const ms = ((cpuSeconds(hearth.pid) - start) * 1000) / (times ?? TIMES);
    tell({ name, value: ms, unit: "ms of CPU", more: { bytes } });
    rows.push(`| ${inCode(calls)} | ${dearest} | ${bound} | ${shown(ms)} | ${size(bytes)} |`);
  }
  await hearth.stop();
  removeFolder(organization.folder);
  if (quick || chosen !== "") return;
  const { people, channels, messages, topics } = fullness;
  const measured = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores; ${people} people, ${channels} channels, ${topics} topics in one channel and ${messages} long messages`;
  const page = readFileSync(PAGE, "utf8");
  const table = [
    "| Calls | Most expensive valid request | Limit | CPU | Response |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ];
  const inside = `${BEGIN}\nMeasured on: ${measured}.\n\n${table.join("\n")}\n${END}`;
  writeFileSync(PAGE, `${page.slice(0, page.indexOf(BEGIN))}${inside}${page.slice(page.indexOf(END) + END.length)}`);
};

const inCode = (calls: readonly string[]): string => calls.map((call) => `\`${call}\``).join(", ");

/** Creates as many bots as a user can have. */
async function makeBots({ accounts }: FullOrganization, port: number): Promise<void> {
  for (let number = 0; number < 200; number += 1) {
    const names = { full_name: `Own bot ${number}`, short_name: `own-${number}`, bot_type: 1 + (number % 2) };
    const { status, body } = await ask(asked(accounts[1] ?? {}, "POST", "/bots", names), port);
    if (status !== 200) throw new Error(`A bot could not be made: ${body}`);
  }
}

const shown = (ms: number): string => (ms < 0.5 ? "under 0.5 ms" : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`);
const size = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
};
