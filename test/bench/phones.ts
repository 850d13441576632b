import { get, type IncomingMessage } from "node:http";
import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { type Child, memory, startHearth } from "./processes.ts";
import { sender } from "./requests.ts";
import type { Section } from "./section.ts";
import { idle, median } from "./start.ts";
import { takeTurns, tellOfSends } from "./windows.ts";

const CHANNEL = "general";
const PHONES = 500;
const SENDERS = 8;
/** The first connections also grow the heap, which stays. */
const ROUNDS = 3;
/** Required share of the send rate without phones. */
const SENDS_SHARE = 0.95;

/** The cost of people whose phones are subscribed with the ntfy app. */
export const phones: Section = async ({ load, quick, tell }) => {
  const { folder, accounts } = await makeOrganization(PHONES + SENDERS + 1, (tx, users) =>
    addChannel(tx, CHANNEL, users),
  );
  const hearth = await startHearth(folder);
  const people = accounts.slice(-PHONES);
  const senders = (content?: string) =>
    accounts.slice(1, SENDERS + 1).map((account) => sender(account, CHANNEL, content));
  const measure = (content?: string) =>
    takeTurns({ load, quick }, { hearth, senders: senders(content) }, { begin: () => subscribe(hearth, people) });

  tellOfSends(tell, `of ${SENDERS}, with ${PHONES} phones`, await measure(), SENDS_SHARE);
  tellOfSends(tell, `of ${SENDERS} that each ring one of ${PHONES} phones`, await measure(MENTION), 0);
  const growth: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await idle(quick);
    const before = memory(hearth.pid);
    const turnOff = await subscribe(hearth, people);
    await idle(quick);
    growth.push(memory(hearth.pid) - before);
    await turnOff();
  }
  tell({ name: `memory of ${PHONES} phones`, value: median(growth), unit: "MB", atMost: 30 });
  const unsubscribe = await subscribe(hearth, people);
  const waiting = await ringTimes(hearth, accounts[0] as Account, 20);
  tell({
    name: `from a send to the last of ${PHONES} phones, of all mentioned`,
    value: waiting,
    unit: "ms",
    atMost: 1000,
  });
  await unsubscribe();
  await hearth.stop();
};

const MENTION = `@**Person ${SENDERS + 2}** hello`;
/** Messages that have arrived at phones. */
let arrived = 0;

/** Turns on and connects a phone of each person. Returns a function that turns them off. */
async function subscribe(hearth: Child, people: readonly Account[]): Promise<() => Promise<void>> {
  for (let start = 0; start < people.length; start += 50)
    await Promise.all(people.slice(start, start + 50).map((person) => connectPhone(hearth, person)));
  return async () => {
    for (const person of people) await call(hearth, person, "DELETE", "/users/me/ntfy");
  };
}

async function call(hearth: Child, { authorization }: Account, method: string, path: string, body?: URLSearchParams) {
  const request = { method, headers: { authorization }, ...(body && { body }) };
  const response = await fetch(`${hearth.url}/api/v1${path}`, request);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { ntfy: { topic: string } };
}

async function connectPhone(hearth: Child, person: Account): Promise<void> {
  const { topic } = (await call(hearth, person, "POST", "/users/me/ntfy")).ntfy;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${hearth.url}/${topic}/json`, { agent: false }, resolve).on("error", reject);
  });
  response.setEncoding("utf8").on("data", (text: string) => {
    arrived += text.split('"event":"message"').length - 1;
  });
  await new Promise((resolve) => response.once("data", resolve));
}

/** The median time until a message to everyone has rung all phones, in milliseconds. */
async function ringTimes(hearth: Child, from: Account, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [before, start] = [arrived, performance.now()];
    const fields = { type: "stream", to: CHANNEL, topic: "all", content: "@**all** now" };
    await call(hearth, from, "POST", "/messages", new URLSearchParams(fields));
    while (arrived < before + PHONES) await new Promise((resolve) => setTimeout(resolve, 1));
    times.push(performance.now() - start);
  }
  return median(times);
}
