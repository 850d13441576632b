import { addChannel, makeOrganization } from "./organization.ts";
import { memory, startBare, startHearth } from "./processes.ts";
import type { Section } from "./section.ts";

const IDLE_MS = 3000;

export const idle = (quick: boolean) => new Promise((resolve) => setTimeout(resolve, quick ? 1000 : IDLE_MS));
export const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Time from the process start to the first response, and idle memory, without messages. */
export const start: Section = async ({ quick, tell }) => {
  const { folder } = await makeOrganization(2, (tx, users) => addChannel(tx, "general", users));
  const [times, bareTimes] = [[] as number[], [] as number[]];
  let [used, bareUsed] = [Number.NaN, Number.NaN];
  for (let round = 0; round < (quick ? 2 : 5); round += 1) {
    const bare = await startBare("");
    bareTimes.push(bare.startedIn);
    const hearth = await startHearth(folder);
    times.push(hearth.startedIn);
    if (round === 0) {
      await idle(quick);
      [used, bareUsed] = [memory(hearth.pid), memory(bare.pid)];
    }
    await bare.stop();
    await hearth.stop();
  }
  tell({ name: "empty start", value: median(times), unit: "ms", limits: { bare: median(bareTimes) }, atMost: 450 });
  tell({ name: "memory at rest, empty", value: used, unit: "MB", limits: { bare: bareUsed }, atMost: 120 });
};
