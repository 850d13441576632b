import type { Task } from "./load.ts";
import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { startHearth } from "./processes.ts";
import { call, formRequest, sender } from "./requests.ts";
import type { Section } from "./section.ts";

const PEOPLE = 5000;

/** Measures sends by the same five people to a small and a large channel, and /register among 5,000 people. */
export const audience: Section = async ({ load, quick, tell }) => {
  const { folder, accounts } = await makeOrganization(PEOPLE, (tx, users) => {
    addChannel(tx, "few", users.slice(0, 5));
    addChannel(tx, "all", users);
  });
  const hearth = await startHearth(folder);
  const total = { few: { sent: 0, seconds: 0, cpu: 0 }, all: { sent: 0, seconds: 0, cpu: 0 } };
  // The channels alternate, so that machine noise affects both.
  for (let round = 0; round < (quick ? 4 : 8); round += 1) {
    for (const channel of ["few", "all"] as const) {
      const senders = accounts.slice(0, 5).map((account) => sender(account, channel));
      const [seconds, warmUp] = [quick ? 0.6 : 1.5, round === 0 ? 1 : 0.1];
      const task: Task = { task: "sends", port: hearth.port, senders, pollers: [], seconds, warmUp };
      const result = await load.run(task, hearth);
      total[channel].sent += result.sent;
      total[channel].seconds += result.seconds;
      total[channel].cpu += result.serverCpu;
    }
  }
  const [few, all] = [total.few.sent / total.few.seconds, total.all.sent / total.all.seconds];
  tell({ name: "sends, channel of 5", value: few, unit: "/s" });
  tell({ name: "sends, channel of 5,000", value: all, unit: "/s" });
  tell({ name: "5 against 5,000 subscribers", value: few / all, unit: "times", atMost: 1.3, more: total });

  const viewer = accounts[10] as Account;
  await call(hearth, viewer, "POST", "/register", {});
  const requests = Array.from({ length: quick ? 5 : 20 }, () => formRequest(viewer, "POST", "/register", {}));
  const { times, bytes } = await load.run({ task: "once", port: hearth.port, requests, connections: 1 });
  tell({ name: "POST /register among 5,000", value: times.median, unit: "ms", more: { times, bytes } });
  await hearth.stop();
};
