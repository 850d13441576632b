import type { Load } from "./generator.ts";
import type { Sender } from "./load.ts";
import type { Child } from "./processes.ts";
import type { Section } from "./section.ts";
import { median } from "./start.ts";

/** Required share of the send rate without other load. */
const SENDS_SHARE = 0.9;

/** Sends in a short time. */
export interface Window {
  readonly sent: number;
  readonly seconds: number;
  /** CPU seconds of the server. */
  readonly cpu: number;
  readonly p95: number;
}

/** Work next to the sends. `begin` starts it and returns a function that stops it. */
export interface Beside {
  begin(): Promise<() => Promise<unknown>>;
}

export interface Turns {
  readonly without: readonly Window[];
  readonly beside: readonly Window[];
}

/**
 * Sends with and without other load, in short alternating windows, because a busy machine is not equally fast at all
 * times.
 */
export async function takeTurns(
  { load, quick }: { load: Load; quick: boolean },
  { hearth, senders }: { hearth: Child; senders: Sender[] },
  { begin }: Beside,
): Promise<Turns> {
  const measure = async (): Promise<Window> => {
    const seconds = quick ? 1 : 1.5;
    const task = { task: "sends" as const, port: hearth.port, senders, pollers: [], seconds, warmUp: 0.3 };
    const { sent, seconds: taken, serverCpu, times } = await load.run(task, hearth);
    return { sent, seconds: taken, cpu: serverCpu, p95: times.p95 };
  };
  const [without, beside] = [[await measure()], [] as Window[]];
  for (let round = 0; round < (quick ? 3 : 10); round += 1) {
    const end = await begin();
    beside.push(await measure());
    await end();
    without.push(await measure());
  }
  return { without, beside };
}

/** Compares each loaded window with its two neighbors, and reports the median. */
export function tellOfSends(
  tell: Parameters<Section>[0]["tell"],
  name: string,
  { without, beside }: Turns,
  atLeast = SENDS_SHARE,
): void {
  const rate = ({ sent, seconds }: Window) => sent / seconds;
  const shares = beside.map((one, index) => {
    const [before, after] = [without[index] as Window, without[index + 1] as Window];
    return rate(one) / ((rate(before) + rate(after)) / 2);
  });
  const more = { shares, without, beside };
  tell({ name: `sends ${name}, share of alone`, value: median(shares), unit: "", atLeast, more });
  const cpu = (windows: readonly Window[]) => (sum(windows, "cpu") / sum(windows, "sent")) * 1000;
  tell({
    name: `CPU of 1,000 sends ${name}, all of the server's`,
    value: cpu(beside),
    unit: "s",
    limits: { alone: cpu(without) },
  });
  const p95 = (windows: readonly Window[]) => median(windows.map((each) => each.p95));
  tell({ name: `sends ${name}, 95 %`, value: p95(beside), unit: "ms", limits: { alone: p95(without) } });
}

const sum = (windows: readonly Window[], field: "sent" | "cpu") => windows.reduce((all, each) => all + each[field], 0);
