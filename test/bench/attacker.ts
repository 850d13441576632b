import { Agent } from "node:http";
import { connect, type Socket } from "node:net";
import { type Asked, ask } from "./http-requests.ts";

export type Attack = { port: number; address?: string } & (
  | { task: "requests"; requests: Asked[]; times: number; connections: number } // responses are read and ignored
  | { task: "unread"; requests: string[] } // one connection each, and nothing is read
  | { task: "idle"; count: number } // connections that send nothing
  | { task: "probe"; requests: Asked[]; everyMs: number } // each response must be right; until "stop"
);

/** Milliseconds from the due time of each probe to its response, and the wrong responses. */
export interface Probed {
  times: number[];
  wrong: string[];
}
export type AttackReport = { is: "done"; answers: Record<string, number>; probed?: Probed };

const open: Socket[] = [];
let stopped = false;
process.on("message", (message: Attack | "stop") => {
  if (message === "stop") stopped = true;
  else
    void run(message).then((report) => {
      process.send?.(report);
    });
});

async function run(attack: Attack): Promise<AttackReport> {
  stopped = false;
  if (attack.task === "probe") return { is: "done", answers: {}, probed: await probe(attack) };
  if (attack.task === "requests") return { is: "done", answers: await send(attack) };
  const { port, address } = attack;
  const count = attack.task === "idle" ? attack.count : attack.requests.length;
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const socket = connect({ port, host: "127.0.0.1", ...(address && { localAddress: address }) });
      socket.on("error", () => {});
      open.push(socket);
      await new Promise<void>((resolve) => socket.once("connect", resolve).once("close", resolve));
      if (attack.task === "unread") socket.pause().write(attack.requests[index] as string);
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const alive = open.filter((socket) => !socket.closed).length;
  for (const socket of open.splice(0)) socket.destroy();
  return { is: "done", answers: { "left open": alive, closed: count - alive } };
}

async function send({ port, address, requests, times, connections }: Attack & { task: "requests" }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: Record<string, number> = {};
  let next = 0;
  const count = requests.length * times;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < count) {
        const asked = requests[next++ % requests.length] as Asked;
        const { status } = await ask(asked, port, { agent, address });
        answers[status] = (answers[status] ?? 0) + 1;
      }
    }),
  );
  agent.destroy();
  return answers;
}

/**
 * Sends on schedule without waiting for responses, like many people do. A silence of a second makes fifty late
 * responses.
 */
async function probe({ port, requests, everyMs }: Attack & { task: "probe" }): Promise<Probed> {
  const agent = new Agent({ keepAlive: true });
  const probed: Probed = { times: [], wrong: [] };
  const running: Promise<void>[] = [];
  const start = performance.now();
  for (let number = 0; !stopped; number += 1) {
    const due = start + number * everyMs;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    // Delays of this process itself do not count for the server.
    const asked = Math.max(due, performance.now() - everyMs);
    const one = requests[number % requests.length] as Asked;
    running.push(
      ask(one, port, { agent }).then(({ status, body }) => {
        probed.times.push(performance.now() - asked);
        if (status !== 200 || !body.includes(one.contains ?? "")) probed.wrong.push(`${status} ${body.slice(0, 200)}`);
      }),
    );
  }
  await Promise.all(running);
  agent.destroy();
  return probed;
}
