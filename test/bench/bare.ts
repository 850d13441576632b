import Fastify, { type FastifyReply } from "fastify";

// The limit for the figures: the same exchange with a bare Fastify server that stores nothing. It responds to a POST of
// a form with an ID, to held GETs with the event, and to a GET with a user. The argument is the event's JSON, whose
// last field is its ID.
const [template = '{"type":"message","id":0}'] = process.argv.slice(2);
const common = template.slice(0, template.lastIndexOf('"id":') + 5);
const STORED = 10_000;
const events: string[] = [];
let last = 0;

interface Poll {
  queue: string;
  after: number;
  reply: FastifyReply;
}

const waiting: Poll[] = [];
let due = false;

function answer({ queue, after, reply }: Poll): void {
  const missed = Array.from({ length: last - after }, (_, index) => events[(after + 1 + index) % STORED]);
  reply.type("application/json").send(`{"result":"success","msg":"","events":[${missed}],"queue_id":"${queue}"}`);
}

/** Waits for concurrent requests, so that clients get their messages in one response. */
function publish(): void {
  if (due || waiting.length === 0) return;
  due = true;
  setImmediate(() => {
    due = false;
    for (const poll of waiting.splice(0)) answer(poll);
  });
}

const server = Fastify({ logger: false });
server.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
  done(null, Object.fromEntries(new URLSearchParams(body as string)));
});
server.post("/api/v1/messages", (request, reply) => {
  const { content } = request.body as { content?: string };
  if (!content) return reply.code(400).send({ result: "error", msg: "Missing 'content' argument" });
  last += 1;
  events[last % STORED] = `${common}${last}}`;
  publish();
  return reply.type("application/json").send(`{"result":"success","msg":"","id":${last}}`);
});
server.get("/api/v1/events", (request, reply) => {
  const { queue_id: queue = "", last_event_id: after = "0" } = request.query as Record<string, string>;
  const poll = { queue, after: Number(after), reply };
  if (poll.after < last) answer(poll);
  else waiting.push(poll);
});
const user = JSON.stringify({ result: "success", msg: "", user_id: 1, full_name: "Person 1", role: 400 });
server.get("/api/v1/users/me", (_request, reply) => reply.type("application/json").send(user));
server.get("/bytes/:count", (request, reply) =>
  reply.type("application/json").send(JSON.stringify("x".repeat(Number((request.params as { count: string }).count)))),
);
await server.listen({ host: "127.0.0.1", port: 0 });
process.once("SIGTERM", () => process.exit());
const address = server.server.address();
console.log(`answers at http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
