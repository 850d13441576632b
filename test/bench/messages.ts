import { dataSet, MANY_TOPICS, NEWCOMER } from "./data-set.ts";
import type { Times } from "./load.ts";
import { type Account, accountsOf } from "./organization.ts";
import { type Child, removeFolder, startHearth } from "./processes.ts";
import { call, type Fields, formRequest, getRequest, sender } from "./requests.ts";
import type { Section } from "./section.ts";
import { idle, median } from "./start.ts";
import { word } from "./texts.ts";

const FEW = 3000;
const MANY = 300_000;
const CHANNEL = "channel 1";
/** Allowed slowdown of many messages against few. */
const FLAT = 1.5;
const SENDERS = 8;

interface Server {
  hearth: Child;
  accounts: Account[];
  messages: number;
  folder: string;
}

interface Case {
  name: string;
  /** The requests of one round. None can reuse another's work. */
  requests(server: Server, count: number, round: number): string[];
  /** The target in milliseconds with many messages. */
  atMost?: number;
  flat?: true;
}

const VIEWER = 4;
const viewerOf = ({ accounts }: Server): Account => accounts[VIEWER] as Account;
const repeated = (request: string, count: number): string[] => new Array<string>(count).fill(request);

function page(narrow: object[], fields: (server: Server) => Fields, viewer = viewerOf): Case["requests"] {
  return (server, count) => {
    const all = { ...fields(server), narrow: JSON.stringify(narrow) };
    return repeated(getRequest(viewer(server), "/messages", all), count);
  };
}

const newest = () => ({ anchor: "newest", num_before: 100, num_after: 0 });
const search = (words: string): Case["requests"] => page([{ operator: "search", operand: words }], newest);
const TOPIC = [
  { operator: "channel", operand: CHANNEL },
  { operator: "topic", operand: "topic 1" },
];

const CASES: Case[] = [
  { name: "newest page", requests: page([], newest), flat: true },
  {
    name: "newest page of a newcomer",
    requests: page([], newest, ({ accounts }) => accounts[NEWCOMER - 1] as Account),
  },
  {
    name: "middle page",
    requests: page([], ({ messages }) => ({ anchor: Math.floor(messages / 2), num_before: 50, num_after: 50 })),
  },
  { name: "newest page of a busy topic", requests: page(TOPIC, newest) },
  { name: "search of a rare word", requests: search(word(9000)), atMost: 50 },
  { name: "search of a common word", requests: search(word(0)), atMost: 50 },
  { name: "search of two words", requests: search(`${word(12)} ${word(700)}`), atMost: 50 },
  {
    name: "topics of a channel",
    requests: (server, count) =>
      repeated(getRequest(viewerOf(server), `/users/me/${MANY_TOPICS.id}/topics`, {}), count),
  },
  { name: "mark a topic read", requests: marks },
  {
    name: "POST /register",
    requests: (server, count) => repeated(formRequest(viewerOf(server), "POST", "/register", {}), count),
    atMost: 25,
  },
];

/** Marks topics of a shared channel for one user after another, so that each has unread messages. */
function marks({ accounts }: Server, count: number, round: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const number = round * count + index;
    const reader = accounts[10 + (number % 150)] as Account;
    const topic = 1 + Math.floor(number / 150);
    return formRequest(reader, "POST", "/mark_topic_as_read", { stream_id: 1, topic_name: `topic ${topic}` });
  });
}

/** Common calls with few and many messages in the history. */
export const messages: Section = async ({ load, quick, tell }) => {
  const servers: Server[] = [];
  for (const count of [FEW, MANY]) {
    const { folder, people } = await dataSet(count);
    const hearth = await startHearth(folder);
    servers.push({ hearth, folder, accounts: accountsOf(folder, people), messages: count });
  }
  await idle(quick);
  const [few, many] = servers as [Server, Server];
  await checkWhatIsMeasured(many);

  const [rounds, count] = quick ? [3, 10] : [10, 30];
  for (const { name, requests, atMost, flat } of CASES) {
    const times = { few: [] as Times[], many: [] as Times[] };
    // The servers alternate, so that machine noise affects both.
    for (let round = 0; round < rounds; round += 1) {
      for (const [server, taken] of [
        [few, times.few],
        [many, times.many],
      ] as const) {
        const task = { task: "once" as const, port: server.hearth.port, connections: 1 };
        const result = await load.run({ ...task, requests: requests(server, count, round) });
        taken.push(result.times);
      }
    }
    const of = (taken: Times[], which: "median" | "p95") => median(taken.map((each) => each[which]));
    const [value, small] = [of(times.many, "median"), of(times.few, "median")];
    const more = { times };
    tell({ name, value, unit: "ms", limits: { "3,000": small }, ...(atMost ? { atMost } : {}), more });
    tell({
      name: `${name}, 95 %`,
      value: of(times.many, "p95"),
      unit: "ms",
      limits: { "3,000": of(times.few, "p95") },
    });
    if (flat) tell({ name: `${name}, 300,000 to 3,000`, value: value / small, unit: "times", atMost: FLAT });
  }
  await sends({ load, quick, tell }, few, many);
  for (const { hearth, folder } of servers) {
    await hearth.stop();
    removeFolder(folder);
  }
};

/** Ensures that searches and topics find something, because finding nothing would be fast. */
async function checkWhatIsMeasured(server: Server): Promise<void> {
  const viewer = viewerOf(server);
  const found = async (narrow: object[]) => {
    const fields: Fields = { ...newest(), narrow: JSON.stringify(narrow) };
    return (await call(server.hearth, viewer, "GET", "/messages", fields))["messages"].length as number;
  };
  const searched = [word(9000), word(0), `${word(12)} ${word(700)}`];
  for (const operand of searched) {
    const count = await found([{ operator: "search", operand }]);
    if (count === 0) throw new Error(`Nothing is found by ${operand}.`);
  }
  const { topics } = await call(server.hearth, viewer, "GET", `/users/me/${MANY_TOPICS.id}/topics`, {});
  if (topics.length !== MANY_TOPICS.topics) throw new Error(`${topics.length} topics instead of ${MANY_TOPICS.topics}`);
}

async function sends(
  { load, quick, tell }: Pick<Parameters<Section>[0], "load" | "quick" | "tell">,
  few: Server,
  many: Server,
): Promise<void> {
  const total = { few: { sent: 0, seconds: 0 }, many: { sent: 0, seconds: 0 } };
  for (let round = 0; round < (quick ? 3 : 8); round += 1) {
    for (const [server, sum] of [
      [few, total.few],
      [many, total.many],
    ] as const) {
      const senders = server.accounts.slice(2, 2 + SENDERS).map((account) => sender(account, CHANNEL));
      const [seconds, warmUp] = [quick ? 0.5 : 1, round === 0 ? 1 : 0.1];
      const { port } = server.hearth;
      const result = await load.run({ task: "sends", port, senders, pollers: [], seconds, warmUp });
      sum.sent += result.sent;
      sum.seconds += result.seconds;
    }
  }
  const [atFew, atMany] = [total.few.sent / total.few.seconds, total.many.sent / total.many.seconds];
  tell({ name: `sends, ${SENDERS} people`, value: atMany, unit: "/s", limits: { "3,000": atFew } });
  tell({ name: "sends, 3,000 to 300,000", value: atFew / atMany, unit: "times", atMost: FLAT });
}
