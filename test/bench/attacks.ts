import { fork } from "node:child_process";
import { type Asked, asked } from "./asking.ts";
import { ATTACKS } from "./attack-plans.ts";
import type { Attack, AttackReport, Probed } from "./attacker.ts";
import { FULL, type FullOrganization, fullOrganization, NEARLY_EMPTY } from "./full-organization.ts";
import { removeFolder, startHearth } from "./processes.ts";
import type { Section } from "./section.ts";

/** How long others may wait while somebody attacks, on a quiet machine. */
const MAX_WAIT_MS = 100;
const PROBE_EVERY_MS = 20;
/** Runs tasks in a process of its own. */
function startAttacker() {
  const child = fork(new URL("./attacker.ts", import.meta.url), { serialization: "advanced" });
  const end = () => child.kill();
  process.once("exit", end);
  return {
    run: (attack: Attack): Promise<AttackReport> =>
      new Promise((resolve, reject) => {
        const exited = () => reject(new Error("The attacker ended."));
        child.once("exit", exited);
        child.once("message", (report) => {
          child.off("exit", exited);
          resolve(report as AttackReport);
        });
        child.send(attack);
      }),
    stop: () => child.send("stop"),
    close: () => {
      process.off("exit", end);
      child.kill();
    },
  };
}

/** What other members do meanwhile: each in turn, so that none reaches a rate limit. */
const probes = ({ accounts }: FullOrganization): Asked[] =>
  accounts.slice(100, 300).map((account, index) => ({
    ...(index % 4 === 3
      ? asked(account, "POST", "/messages", { type: "direct", to: [account.id], content: `note ${index}` })
      : asked(account, "GET", "/users/me")),
    contains: index % 4 === 3 ? '"id":' : `"user_id":${account.id},`,
  }));

/** What everybody else waits for while one member, or a stranger, attacks: against the same without an attack. */
export const attacks: Section = async ({ quick, rows, tell }) => {
  const organization = await fullOrganization(quick ? NEARLY_EMPTY : FULL);
  const hearth = await startHearth(organization.folder);
  const [attacker, others] = [startAttacker(), startAttacker()];
  const { port } = hearth;
  const whileProbing = async (work: () => Promise<unknown>): Promise<Probed> => {
    const probing = others.run({ task: "probe", port, requests: probes(organization), everyMs: PROBE_EVERY_MS });
    await pause(500);
    await work();
    await pause(500);
    others.stop();
    return (await probing).probed as Probed;
  };
  try {
    await whileProbing(() => pause(1000)); // a warm-up
    const quiet = await whileProbing(() => pause(quick ? 3000 : 10_000));
    report(tell, "nobody attacks", quiet);
    for (const [name, plan] of Object.entries(ATTACKS)) {
      if (!name.includes(rows)) continue;
      let answers: AttackReport["answers"] = {};
      const probed = await whileProbing(async () => {
        const attack = { ...plan(organization), port } as Attack;
        ({ answers } = await attacker.run(attack));
        if (name.includes("due in")) await pause(6000);
      });
      report(tell, name, probed, { quiet, answers });
    }
  } finally {
    attacker.close();
    others.close();
    await hearth.stop();
    removeFolder(organization.folder);
  }
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const at = (times: number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;

function report(
  tell: Parameters<Section>[0]["tell"],
  name: string,
  { times, wrong }: Probed,
  attack?: { quiet: Probed; answers: AttackReport["answers"] },
): void {
  const [longest, p99] = [at(times, 1), at(times, 0.99)];
  const limits = attack && { quiet: at(attack.quiet.times, 1) };
  const more = { p99, probes: times.length, wrong, answers: attack?.answers };
  tell({
    name: `${name}: longest wait of others`,
    value: longest,
    unit: "ms",
    ...(limits && { limits }),
    atMost: MAX_WAIT_MS,
    more,
  });
  const p99s = attack && { quiet: at(attack.quiet.times, 0.99) };
  tell({ name: `${name}: p99`, value: p99, unit: "ms", ...(p99s && { limits: p99s }), atMost: MAX_WAIT_MS });
  tell({
    name: `${name}: wrong answers for others`,
    value: wrong.length,
    unit: `of ${times.length}`,
    atMost: 0,
    more: { wrong },
  });
}
