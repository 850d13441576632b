import { fork } from "node:child_process";
import { ATTACKS, organizationToSignInTo, STRANGER } from "./attack-plans.ts";
import type { Attack, AttackReport, Probed } from "./attacker.ts";
import { startOnFullDisk } from "./full-disk.ts";
import { FULL, type FullOrganization, fullOrganization, NEARLY_EMPTY } from "./full-organization.ts";
import { type Asked, ask, asked, askedWithFile, blackPicture, DEEP_WITH_ALPHA } from "./http-requests.ts";
import { type Account, makeOrganization } from "./organization.ts";
import { removeFolder, startHearth } from "./processes.ts";
import type { Section } from "./section.ts";
import { attackBySlowReceivers, SLOW_RECEIVERS } from "./slow-receivers.ts";

/** How long others may wait during an attack, on a quiet machine. */
const MAX_WAIT_MS = 100;
const PROBE_EVERY_MS = 20;
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

/** Requests of other members during the attack. They take turns, so that none reaches a rate limit. */
const probes = ({ accounts }: Pick<FullOrganization, "accounts">): Asked[] =>
  accounts.slice(100, 300).map((account, index) => ({
    ...(index % 4 === 3
      ? asked(account, "POST", "/messages", { type: "direct", to: [account.id], content: `note ${index}` })
      : asked(account, "GET", "/users/me")),
    contains: index % 4 === 3 ? '"id":' : `"user_id":${account.id},`,
  }));

async function whileProbing(
  others: ReturnType<typeof startAttacker>,
  port: number,
  requests: Asked[],
  work: () => Promise<unknown>,
  { everyMs = PROBE_EVERY_MS } = {},
): Promise<Probed> {
  const probing = others.run({ task: "probe", port, requests, everyMs });
  await pause(500);
  await work();
  await pause(500);
  others.stop();
  return (await probing).probed as Probed;
}

/** How long others wait while a member or a stranger attacks, compared with no attack. */
export const attacks: Section = async ({ quick, rows, tell }) => {
  const chosen = Object.entries(ATTACKS).filter(([name]) => name.includes(rows));
  const [attacker, others] = [startAttacker(), startAttacker()];
  try {
    if (chosen.length > 0) await attackFullOrganization(chosen, { attacker, others, quick, tell });
    if (SLOW_RECEIVERS.includes(rows)) await attackBySlowReceivers({ tell });
    if (DEAR_PICTURES.includes(rows)) await attackWithPictures({ attacker, tell });
    if (FULL_DISK.includes(rows)) await attackFullDisk({ attacker, others, tell });
    if (SIGN_INS.includes(rows)) await attackSignIns({ attacker, others, tell });
  } finally {
    attacker.close();
    others.close();
  }
};

type Processes = Record<"attacker" | "others", ReturnType<typeof startAttacker>>;
type Tell = Parameters<Section>[0]["tell"];

async function attackFullOrganization(
  plans: readonly (readonly [string, (typeof ATTACKS)[string]])[],
  { attacker, others, quick, tell }: Processes & { quick: boolean; tell: Tell },
): Promise<void> {
  const organization = await fullOrganization(quick ? NEARLY_EMPTY : FULL);
  const hearth = await startHearth(organization.folder);
  const { port } = hearth;
  const probing = (work: () => Promise<unknown>) => whileProbing(others, port, probes(organization), work);
  try {
    await probing(() => pause(1000)); // a warm-up
    const quiet = await probing(() => pause(quick ? 3000 : 10_000));
    report(tell, "nobody attacks", quiet);
    for (const [name, plan] of plans) {
      let answers: AttackReport["answers"] = {};
      const probed = await probing(async () => {
        const attack = { ...plan(organization), port } as Attack;
        ({ answers } = await attacker.run(attack));
        if (name.includes("due in")) await pause(6000);
      });
      report(tell, name, probed, { quiet, answers });
    }
  } finally {
    await hearth.stop();
    removeFolder(organization.folder);
  }
}

const DEAR_PICTURES = "the dearest pictures, continuously";
const MAX_PICTURE_WAIT_MS = 2000;
const AVATARS = 12;

/** One user sends the most expensive pictures. Measures how long another user's picture of one pixel takes. */
async function attackWithPictures({ attacker, tell }: Pick<Processes, "attacker"> & { tell: Tell }): Promise<void> {
  const { folder, accounts } = await makeOrganization(2, () => {});
  const { port, stop } = await startHearth(folder);
  try {
    const [guest, other] = accounts as [Account, Account];
    const avatar = (account: Account, bytes: Uint8Array) =>
      askedWithFile(account, "/users/me/avatar", { name: "a.png", bytes });
    const small = avatar(other, blackPicture(1));
    await ask(small, port); // starts the decoder
    const dear = avatar(guest, blackPicture(6500, DEEP_WITH_ALPHA));
    const attack = attacker.run({ task: "requests", requests: [dear], times: AVATARS, connections: 4, port });
    await pause(1000);
    const times: number[] = [];
    for (let count = 0; count < AVATARS; count += 1) {
      const start = performance.now();
      const { status, body } = await ask(small, port);
      if (status !== 200) throw new Error(`An avatar was refused: ${body}`);
      times.push(performance.now() - start);
    }
    const { answers } = await attack;
    const name = `${DEAR_PICTURES}: longest wait for another person's avatar`;
    tell({ name, value: at(times, 1), unit: "ms", atMost: MAX_PICTURE_WAIT_MS, more: { answers, times } });
  } finally {
    await stop();
    removeFolder(folder);
  }
}

const FULL_DISK = "a nearly full disk";
const PEOPLE = 300;
const MESSAGES = 2500;

/** A member sends until the disk is full. Others still read, and no acknowledged message is lost. */
async function attackFullDisk({ attacker, others, tell }: Processes & { tell: Tell }): Promise<void> {
  const disk = await startOnFullDisk(PEOPLE);
  try {
    const { accounts } = disk;
    const { port } = disk.hearth;
    const reads = probes({ accounts }).filter(({ method }) => method === "GET");
    const requests = Array.from({ length: MESSAGES }, (_, number) =>
      asked(accounts[1] as Account, "POST", "/messages", {
        type: "channel",
        to: "general",
        topic: `attack ${number}`,
        content: `${number} ${"A long text. ".repeat(700)}`,
      }),
    );
    let answers: AttackReport["answers"] = {};
    const before = await disk.storedTopics();
    const probed = await whileProbing(others, port, reads, async () => {
      ({ answers } = await attacker.run({ task: "requests", requests, times: 1, connections: 10, port }));
    });
    report(tell, FULL_DISK, probed, { quiet: { times: [], wrong: [] }, answers });
    const refused = answers[507] ?? 0;
    tell({ name: `${FULL_DISK}: sends that were refused`, value: refused, unit: `of ${MESSAGES}`, atLeast: 1 });
    await disk.makeRoom();
    const lost = before + (answers[200] ?? 0) - (await disk.storedTopics());
    tell({ name: `${FULL_DISK}: acknowledged sends that are lost`, value: lost, unit: "", atMost: 0 });
    const { status } = await ask(requests[0] as Asked, disk.hearth.port);
    tell({ name: `${FULL_DISK}: a send once there is room`, value: status, unit: "", atLeast: 200, atMost: 200 });
  } finally {
    await disk.remove();
  }
}

const SIGN_INS = "30 sign-ins in flight, of one address";

/** A machine signs in as fast as possible, in every way, while the owner signs in from another address. */
async function attackSignIns({ attacker, others, tell }: Processes & { tell: Tell }): Promise<void> {
  const { folder, requests, owner } = await organizationToSignInTo();
  const hearth = await startHearth(folder); // limits would stop most of the attack after 30 requests
  const { port } = hearth;
  const probing = (everyMs: number, work: () => Promise<unknown>) =>
    whileProbing(others, port, [owner], work, { everyMs });
  try {
    const quiet = await probing(2000, () => pause(15_000));
    let answers: AttackReport["answers"] = {};
    // The owner's own sign-ins must not wait for each other.
    const { times, wrong } = await probing(Math.max(2000, 4 * at(quiet.times, 0.5)), async () => {
      const attack = { task: "requests", requests, times: 2, connections: 30, port, address: STRANGER } as const;
      ({ answers } = await attacker.run(attack));
    });
    const name = `${SIGN_INS}: a sign-in of the owner`;
    const [alone, median] = [at(quiet.times, 0.5), at(times, 0.5)];
    // The owner waits for one running hash and their own. Other work of the machine makes single sign-ins longer.
    tell({ name: `${name}, median`, value: median / alone, unit: "hashes", atMost: 2, more: { alone, answers } });
    const limits = { alone: at(quiet.times, 1) };
    tell({ name: `${name}, longest`, value: at(times, 1), unit: "ms", limits, more: { sign_ins: times.length } });
    tell({ name: `${SIGN_INS}: the owner is refused`, value: wrong.length, unit: `of ${times.length}`, atMost: 0 });
  } finally {
    await hearth.stop();
    removeFolder(folder);
  }
}

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
  const isCompared = attack !== undefined && attack.quiet.times.length > 0;
  const limits = isCompared && { quiet: at(attack.quiet.times, 1) };
  const more = { p99, probes: times.length, wrong, answers: attack?.answers };
  tell({
    name: `${name}: longest wait of others`,
    value: longest,
    unit: "ms",
    ...(limits && { limits }),
    atMost: MAX_WAIT_MS,
    more,
  });
  const p99s = isCompared && { quiet: at(attack.quiet.times, 0.99) };
  tell({ name: `${name}: p99`, value: p99, unit: "ms", ...(p99s && { limits: p99s }), atMost: MAX_WAIT_MS });
  tell({
    name: `${name}: wrong answers for others`,
    value: wrong.length,
    unit: `of ${times.length}`,
    atMost: 0,
    more: { wrong },
  });
}
