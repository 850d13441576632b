import type { Load } from "./generator.ts";
import type { Sender } from "./load.ts";
import type { Child } from "./processes.ts";
import type { Section } from "./section.ts";
import { median } from "./start.ts";

/** Of sends without anything beside them. */
const SENDS_SHARE = 0.9;

/** Sends in a short stretch of time. */
export interface Window {
  readonly sent: number;
  readonly seconds: number;
  /** CPU seconds of the server. */
  readonly cpu: number;
  /** Milliseconds. */
  readonly p95: number;
}

/** What is beside the sends begins with `begin` and has ended when the function that it gives resolves. */
export interface Beside {
  begin(): Promise<() => Promise<unknown>>;
}

export interface Turns {
  readonly without: readonly Window[];
  readonly beside: readonly Window[];
}

/**
 * Sends without and with something beside them, in short windows that take turns: a machine that does other things too
 * is not as fast at one moment as at the next.
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

/** Each window with something beside the sends is compared with the two around it, and the median of that counts. */
export function tellOfSends(tell: Parameters<Section>[0]["tell"], name: string, { without, beside }: Turns): void {
  const rate = ({ sent, seconds }: Window) => sent / seconds;
  const shares = beside.map((one, index) => {
    const [before, after] = [without[index] as Window, without[index + 1] as Window];
    return rate(one) / ((rate(before) + rate(after)) / 2);
  });
  const more = { shares, without, beside };
  tell({ name: `sends ${name}, share of alone`, value: median(shares), unit: "", atLeast: SENDS_SHARE, more });
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
