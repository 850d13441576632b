import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type CallServer, callsTo } from "../../server/host/supervisor/running-server.ts";
import { writeSlack } from "../imports/generators/slack.ts";
import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { type Child, memory, removeFolder, startHearth, temporaryFolder } from "./processes.ts";
import type { Section } from "./section.ts";

const CHANNEL = "general";
const SECONDS_PER_MILLION = 600;
/** Between two sends. */
const PAUSE_MS = 20;
const ALONE_MS = 20_000;

interface State {
  current: { stage: string; problem: { msg: string } | null } | null;
}

/** Imports a random Slack export while a person sends messages. */
export const imports: Section = async ({ quick, messages: wanted, tell }) => {
  const messages = quick ? 20_000 : wanted;
  const work = temporaryFolder();
  const path = join(work, "export.zip");
  await writeSlack(path, { seed: 1, messages });
  const { folder, accounts } = await makeOrganization(2, (tx, users) => addChannel(tx, CHANNEL, users));
  const hearth = await startHearth(folder);
  const call = callsTo(folder);
  const sends = new Sends(hearth, accounts[1] as Account);
  await pause(quick ? 3000 : ALONE_MS);
  const alone = sends.longest();
  const before = memory(hearth.pid);

  await call("POST", "/host/imports/current", new URLSearchParams({ path }));
  const reading = await untilAfter(call, "reading", hearth);
  const preview = await call<{ choices: object; channels: { id: string }[] }>("GET", "/host/imports/current/preview");
  const channels = preview.channels.map(({ id }) => id);
  const choices = JSON.stringify({ ...preview.choices, channels, direct_messages: true, consent: true });
  await call("POST", "/host/imports/current/start", new URLSearchParams({ choices }));
  const writing = await untilAfter(call, "writing", hearth);

  const seconds = reading.seconds + writing.seconds;
  const name = `import of ${messages.toLocaleString("en")} messages`;
  const more = { reading, writing };
  tell({ name, value: seconds, unit: "s", atMost: (SECONDS_PER_MILLION * messages) / 1e6, more });
  tell({ name: `${name}, reading`, value: reading.seconds, unit: "s" });
  const peak = Math.max(reading.peak, writing.peak);
  tell({ name: `${name}, memory`, value: peak - before, unit: "MB", limits: { before } });
  tell({ name: "longest send beside it, more than alone", value: sends.longest() - alone, unit: "ms", atMost: 50 });
  await sends.stop();
  await hearth.stop();
  removeFolder(work);
};

async function untilAfter(call: CallServer, stage: string, { pid }: Child): Promise<{ seconds: number; peak: number }> {
  const start = performance.now();
  let peak = 0;
  for (;;) {
    const { current } = await call<State>("GET", "/host/imports");
    if (current?.problem) throw new Error(current.problem.msg);
    if (current?.stage !== stage) return { seconds: (performance.now() - start) / 1000, peak };
    peak = Math.max(peak, memory(pid));
    await pause(200);
  }
}

/** Sends of one person, one after another. */
class Sends {
  readonly #ended: Promise<void>;
  #isStopped = false;
  #longest = 0;

  constructor({ url }: Child, { authorization }: Account) {
    this.#ended = this.#send(`${url}/api/v1/messages`, authorization);
  }

  /** Milliseconds, since the last call. */
  longest(): number {
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }

  async #send(url: string, authorization: string): Promise<void> {
    const body = new URLSearchParams({ type: "stream", to: CHANNEL, topic: "beside", content: "hello" }).toString();
    const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
    while (!this.#isStopped) {
      const start = performance.now();
      const response = await fetch(url, { method: "POST", headers, body });
      await response.text();
      if (!response.ok) throw new Error(`A send failed: ${response.status}`);
      this.#longest = Math.max(this.#longest, performance.now() - start);
      await pause(PAUSE_MS);
    }
  }
}
