import { Connection } from "./connection.ts";

/** A complete HTTP request, sent repeatedly on one connection. */
export interface Sender {
  request: string;
  /** Whether its responses are timed. */
  timed: boolean;
}

/** A long poll: the request's text before and after the newest event ID. */
export interface Poller {
  before: string;
  after: string;
  last: number;
}

export type Task = { port: number; pollers: Poller[]; seconds: number; warmUp: number } & (
  | { task: "sends"; senders: Sender[] } // each sends again after a response, until the time is over or "stop" comes
  | { task: "paced"; senders: [Sender]; perSecond: number }
);
/** Sends each request once over this many connections. */
export interface Once {
  task: "once";
  port: number;
  requests: string[];
  connections: number;
}

export interface Times {
  median: number;
  p95: number;
  longest: number;
}

export interface Result {
  sent: number;
  /** From the first request until every queue had received all events. */
  seconds: number;
  /** Milliseconds: of timed responses; in a paced task, from a request to its last receipt. */
  times: Times;
  cpu: number;
  bytes: number;
}

export type Report = { is: "measuring" } | { is: "done"; result: Result } | { is: "failed"; message: string };

const report = (message: Report) => process.send?.(message);
const fail = (error: Error): never => {
  report({ is: "failed", message: error.message });
  process.exit(1);
};

let stopped = false;
process.on("message", (message: Task | Once | "stop") => {
  if (message === "stop") stopped = true;
  else run(message).then((result) => report({ is: "done", result }), fail);
});

function run(task: Task | Once): Promise<Result> {
  stopped = false;
  if (task.task === "once") return once(task);
  return task.task === "sends" ? sends(task) : paced(task);
}

/** Every `message` event contains this once, and no JSON string can contain it. */
const MARK = Buffer.from('"type":"message"');
const ID = Buffer.from('"id":');

/** A client that polls, counts the messages of the response, and polls again. */
class Queue {
  received = 0;
  readonly #poller: Poller;
  readonly #connection: Connection;
  readonly #heard: (queue: Queue, count: number) => void;

  constructor(poller: Poller, connection: Connection, heard: (queue: Queue, count: number) => void) {
    this.#poller = poller;
    this.#connection = connection;
    this.#heard = heard;
  }

  poll(): void {
    const { before, after, last } = this.#poller;
    this.#connection.ask(before + last + after, (body) => this.#take(body));
  }

  #take(body: Buffer): void {
    let count = 0;
    for (let at = body.indexOf(MARK); at >= 0; at = body.indexOf(MARK, at + MARK.length)) count += 1;
    this.#poller.last = lastId(body) ?? this.#poller.last;
    this.received += count;
    pollAgain(this);
    if (count > 0) this.#heard(this, count);
  }

  close(): void {
    this.#connection.close();
  }
}

function lastId(body: Buffer): number | undefined {
  let at = body.lastIndexOf(ID) + ID.length;
  if (at < ID.length) return undefined;
  let id = 0;
  for (let digit = body[at]; digit !== undefined && digit >= 48 && digit <= 57; digit = body[++at])
    id = id * 10 + digit - 48;
  return id;
}

const toPoll: Queue[] = [];

/** Polls again after all available responses are read, so that one client does not delay another's receipt. */
function pollAgain(queue: Queue): void {
  if (toPoll.push(queue) === 1) {
    setImmediate(() => {
      for (const each of toPoll.splice(0)) each.poll();
    });
  }
}

const openQueues = (task: Task, heard: (queue: Queue, count: number) => void): Promise<Queue[]> =>
  Promise.all(
    task.pollers.map(async (poller) => {
      const queue = new Queue(poller, await Connection.open(task.port, fail), heard);
      queue.poll();
      return queue;
    }),
  );

async function sends(task: Task & { task: "sends" }): Promise<Result> {
  let [sent, received, active, bytes] = [0, 0, 0, 0];
  let done = () => {};
  const check = () => {
    if (active === 0 && received === sent * queues.length) done();
  };
  const queues: Queue[] = await openQueues(task, (_queue, count) => {
    received += count;
    check();
  });
  const connections = await Promise.all(task.senders.map(() => Connection.open(task.port, fail)));

  const round = async (seconds: number): Promise<Result> => {
    const [start, cpu, before, times] = [performance.now(), process.cpuUsage(), sent, [] as number[]];
    await new Promise<void>((resolve) => {
      done = resolve;
      active = task.senders.length;
      for (const [index, { request, timed }] of task.senders.entries()) {
        const connection = connections[index] as Connection;
        let asked = start;
        const answered = (body: Buffer) => {
          const now = performance.now();
          if (timed) times.push(now - asked);
          sent += 1;
          bytes = body.length;
          asked = now;
          if (!stopped && now - start < seconds * 1000) return connection.ask(request, answered);
          active -= 1;
          check();
        };
        connection.ask(request, answered);
      }
    });
    return { sent: sent - before, seconds: since(start), times: summary(times), cpu: cpuSince(cpu), bytes };
  };
  if (task.warmUp > 0) await round(task.warmUp);
  report({ is: "measuring" });
  const result = await round(task.seconds);
  for (const each of [...queues, ...connections]) each.close();
  return result;
}

async function paced(task: Task & { task: "paced" }): Promise<Result> {
  const sentAt: number[] = [];
  const missing: number[] = [];
  const times: number[] = [];
  let bytes = 0;
  let done = () => {};
  const queues = await openQueues(task, (queue, count) => {
    const now = performance.now();
    for (let number = queue.received - count; number < queue.received; number += 1) {
      if (--(missing[number] as number) > 0) continue;
      times[number] = now - (sentAt[number] as number);
      if (number + 1 === sentAt.length) done();
    }
  });
  const connection = await Connection.open(task.port, fail);
  const [{ request }] = task.senders;
  const round = async (seconds: number): Promise<Result> => {
    const [start, cpu, first] = [performance.now(), process.cpuUsage(), sentAt.length];
    const count = Math.round(seconds * task.perSecond);
    for (let number = 0; number < count; number += 1) {
      const wait = start + (number * 1000) / task.perSecond - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      missing.push(queues.length);
      const answered = new Promise<void>((resolve) => {
        connection.ask(request, (body) => {
          bytes = body.length;
          resolve();
        });
      });
      sentAt.push(performance.now());
      await answered;
    }
    if ((missing.at(-1) as number) > 0) await new Promise<void>((resolve) => (done = resolve));
    const own = times.slice(first);
    return { sent: count, seconds: since(start), times: summary(own), cpu: cpuSince(cpu), bytes };
  };
  if (task.warmUp > 0) await round(task.warmUp);
  report({ is: "measuring" });
  const result = await round(task.seconds);
  for (const each of [...queues, connection]) each.close();
  return result;
}

async function once({ port, requests, connections }: Once): Promise<Result> {
  const times: number[] = [];
  let [next, bytes] = [0, 0];
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port, fail)));
  report({ is: "measuring" });
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await Promise.all(
    open.map(
      (connection) =>
        new Promise<void>((resolve) => {
          const ask = () => {
            const request = requests[next++];
            if (request === undefined) return resolve();
            const asked = performance.now();
            connection.ask(request, (body) => {
              times.push(performance.now() - asked);
              bytes = body.length;
              ask();
            });
          };
          ask();
        }),
    ),
  );
  for (const connection of open) connection.close();
  return { sent: times.length, seconds: since(start), times: summary(times), cpu: cpuSince(cpu), bytes };
}

const since = (start: number) => (performance.now() - start) / 1000;

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function summary(times: number[]): Times {
  const sorted = Float64Array.from(times).sort();
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { median: at(0.5), p95: at(0.95), longest: at(1) };
}
