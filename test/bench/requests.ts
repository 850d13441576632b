import type { Poller, Sender } from "./load.ts";
import type { Account } from "./organization.ts";
import type { Child } from "./processes.ts";

const head = (method: string, path: string, { authorization }: Account) =>
  `${method} /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: HearthBench/1.0\r\nAuthorization: ${authorization}\r\n`;

export type Fields = Record<string, string | number>;

const form = (fields: Fields) => String(new URLSearchParams(fields as Record<string, string>));

export const getRequest = (account: Account, path: string, fields: Fields): string =>
  `${head("GET", `${path}?${form(fields)}`, account)}\r\n`;

export function formRequest(account: Account, method: "POST" | "DELETE", path: string, fields: Fields): string {
  const body = form(fields);
  return `${head(method, path, account)}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const CONTENT =
  "The new **schedule** is up: look at the board near the door and tell me what is missing, please. We meet at ten, all.";

export const sender = (account: Account, channel: string, content = CONTENT, timed = true): Sender => ({
  request: formRequest(account, "POST", "/messages", { type: "channel", to: channel, topic: "schedule", content }),
  timed,
});

export interface Registered extends Poller {
  queueId: string;
  account: Account;
}

export function pollerOf(account: Account, queueId: string, last: number): Registered {
  const before = head("GET", `/events?queue_id=${queueId}&last_event_id=`, account);
  const at = before.indexOf(" HTTP/1.1");
  return { before: before.slice(0, at), after: `${before.slice(at)}\r\n`, last, queueId, account };
}

export async function call(server: Child, account: Account, method: string, path: string, fields: Fields) {
  const { authorization } = account;
  const url = `${server.url}/api/v1${path}`;
  const response =
    method === "GET"
      ? await fetch(`${url}?${form(fields)}`, { headers: { authorization } })
      : await fetch(url, { method, headers: { authorization }, body: new URLSearchParams(form(fields)) });
  const answer = (await response.json()) as Record<string, any>;
  if (answer["result"] !== "success") throw new Error(`${method} ${path}: ${answer["msg"]}`);
  return answer;
}

export const MESSAGES_ONLY: Fields = {
  event_types: '["message"]',
  fetch_event_types: '["message"]',
  apply_markdown: "true",
  client_capabilities: '{"empty_topic_name":true}',
};

export async function registerQueues(server: Child, accounts: readonly Account[]): Promise<Registered[]> {
  const queues: Registered[] = [];
  for (const account of accounts) {
    const { queue_id, last_event_id } = await call(server, account, "POST", "/register", MESSAGES_ONLY);
    queues.push(pollerOf(account, queue_id, last_event_id));
  }
  return queues;
}

export async function deleteQueues(server: Child, queues: readonly Registered[]): Promise<void> {
  for (const { account, queueId } of queues) await call(server, account, "DELETE", "/events", { queue_id: queueId });
}

export async function sampleEvent(server: Child, [from, to]: [Account, Account], channel: string): Promise<string> {
  const [queue] = (await registerQueues(server, [to])) as [Registered];
  await call(server, from, "POST", "/messages", { type: "channel", to: channel, topic: "schedule", content: CONTENT });
  const fields = { queue_id: queue.queueId, last_event_id: queue.last, dont_block: "true" };
  const { events } = await call(server, to, "GET", "/events", fields);
  await deleteQueues(server, [queue]);
  return JSON.stringify(events[0]);
}
