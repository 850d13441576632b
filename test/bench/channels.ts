import { CHANNEL_GROUP_SETTING_NAMES, type Channel } from "../../server/api/queries/channels.ts";
import type { User } from "../../server/api/queries/users.ts";
import type { Transaction } from "../../server/storage/transaction.ts";
import { type Account, addChannel, makeOrganization } from "./organization.ts";
import { type Child, startHearth } from "./processes.ts";
import { call } from "./requests.ts";
import type { Section } from "./section.ts";
import { median } from "./start.ts";

const CHANNELS = 2000;
const PEOPLE = 500;
/** Each user is subscribed to one channel in this many, each to different ones. */
const ONE_IN = 10;
const GROWTH = 4;

const REGISTER = { client_capabilities: '{"notification_settings_null":true,"empty_topic_name":true}' };

export const channels: Section = async ({ quick, tell }) => {
  const [few, many] = [CHANNELS / GROWTH, CHANNELS];
  const rounds = quick ? 3 : 15;
  const found = new Map<string, number>();
  for (const [channelCount, people] of [
    [few, PEOPLE],
    [many, PEOPLE],
    [many, PEOPLE / GROWTH],
  ] as const) {
    const { folder, accounts } = await makeOrganization(people, (tx, users) => {
      for (let n = 0; n < 8; n += 1) addChannel(tx, `empty ${n}`, users.slice(0, 1));
      fill(tx, addChannel(tx, "general", users), { count: channelCount, users });
    });
    const hearth = await startHearth(folder);
    const name = `${channelCount.toLocaleString("en")} channels, ${people} people`;
    for (const include of ["false", "partial", "true"] as const) {
      const { first, milliseconds, kilobytes } = await register(hearth, accounts, include, rounds);
      found.set(`register ${include} ${channelCount} ${people}`, milliseconds);
      tell({ name: `/register, subscribers ${include}, ${name}`, value: milliseconds, unit: "ms", more: { first } });
      tell({ name: `its size`, value: kilobytes, unit: "kB" });
    }
    const joining = await subscribing(hearth, accounts);
    found.set(`subscribe ${channelCount} ${people}`, joining.milliseconds);
    tell({ name: `subscribing ${people} people to a channel, ${name}`, value: joining.milliseconds, unit: "ms" });
    tell({ name: "longest that others waited meanwhile", value: joining.waited, unit: "ms", atMost: 60 });
    tell({ name: `unsubscribing them, ${name}`, value: joining.leaving, unit: "ms" });
    tell({ name: "longest that others waited meanwhile", value: joining.waitedLeaving, unit: "ms", atMost: 60 });
    await hearth.stop();
  }
  const growth = (what: string, large: string, small: string) =>
    tell({
      name: `${what} × ${GROWTH}`,
      value: (found.get(large) ?? Number.NaN) / (found.get(small) ?? Number.NaN),
      unit: "times",
      atMost: GROWTH * 1.3,
    });
  for (const include of ["false", "true"])
    growth(
      `/register (${include}), channels`,
      `register ${include} ${many} ${PEOPLE}`,
      `register ${include} ${few} ${PEOPLE}`,
    );
  growth("subscribing, people", `subscribe ${many} ${PEOPLE}`, `subscribe ${many} ${PEOPLE / GROWTH}`);
  growth("subscribing, channels", `subscribe ${many} ${PEOPLE}`, `subscribe ${few} ${PEOPLE}`);
};

const COPIED = ["created_at", "invite_only", "history_public_to_subscribers", ...CHANNEL_GROUP_SETTING_NAMES].join(
  ", ",
);
const COLORS = ["#3b82c4", "#c2572b", "#4a9d5b", "#a855a0", "#b8901f", "#2a9d98"];

/** Inserts copies of this channel directly, since creating them is not measured. */
function fill(tx: Transaction, like: Channel, { count, users }: { count: number; users: readonly User[] }): void {
  for (let n = 1; n <= count; n += 1) {
    const name = `channel ${n}`;
    const recipient = tx.run("INSERT INTO recipients (conversation_key) VALUES (NULL)");
    const id = tx.run(
      `INSERT INTO channels (recipient_id, name, name_key, ${COPIED}) SELECT ?, ?, ?, ${COPIED} FROM channels
       WHERE id = ? ORDER BY id`,
      recipient,
      name,
      name,
      like.id,
    );
    const subscribers = users.filter((_, at) => (at * 7 + n * 13) % ONE_IN === 0).map((user) => user.id);
    const ids = JSON.stringify(subscribers);
    tx.run(
      `INSERT INTO subscriptions (user_id, channel_id, subscribed, color)
       SELECT value, ?, 1, ? FROM json_each(?) ORDER BY value`,
      id,
      COLORS[n % COLORS.length] as string,
      ids,
    );
    tx.run(
      `INSERT INTO subscription_periods (user_id, channel_id, first_message_id)
       SELECT value, ?, 1 FROM json_each(?) ORDER BY value`,
      id,
      ids,
    );
  }
}

async function register(hearth: Child, accounts: readonly Account[], include: string, rounds: number) {
  const times: number[] = [];
  let kilobytes = 0;
  const params = { ...REGISTER, include_subscribers: include };
  for (let round = 0; round <= rounds; round += 1) {
    const account = accounts[round % accounts.length] as Account;
    const before = performance.now();
    const answer = await call(hearth, account, "POST", "/register", params);
    times.push(performance.now() - before);
    kilobytes = JSON.stringify(answer).length / 1024;
    await call(hearth, account, "DELETE", "/events", { queue_id: answer["queue_id"] });
  }
  const [first = Number.NaN, ...later] = times;
  return { first, milliseconds: median(later), kilobytes };
}

/** Subscribes everyone to a channel that has only its creator, eight times, then unsubscribes them. */
async function subscribing(hearth: Child, accounts: readonly Account[]) {
  const [owner, other] = accounts as [Account, Account];
  const principals = JSON.stringify(accounts.map(({ id }) => id));
  const measured = async (method: string, fields: (n: number) => Record<string, string>) => {
    const times: number[] = [];
    let waited = 0;
    for (let n = 0; n < 8; n += 1) {
      const before = performance.now();
      const done = call(hearth, owner, method, "/users/me/subscriptions", { principals, ...fields(n) });
      let running = true;
      void done.finally(() => {
        running = false;
      });
      while (running) {
        const asked = performance.now();
        await call(hearth, other, "GET", "/saved_snippets", {});
        waited = Math.max(waited, performance.now() - asked);
      }
      await done;
      times.push(performance.now() - before);
    }
    return { milliseconds: median(times), waited };
  };
  const joined = await measured("POST", (n) => ({
    subscriptions: JSON.stringify([{ name: `empty ${n}` }]),
    send_new_subscription_messages: "false",
  }));
  const left = await measured("DELETE", (n) => ({ subscriptions: JSON.stringify([`empty ${n}`]) }));
  return { ...joined, leaving: left.milliseconds, waitedLeaving: left.waited };
}
