import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const SEED = Number(process.env["HEARTH_SEED"] ?? 7);
const STEPS = Number(process.env["HEARTH_STEPS"] ?? 60);

test(`clients follow random user changes (seed ${SEED})`, async (t) => {
  const chat = await startChat(t, {
    watchAll: true,
    users: { emilia: {}, roderigo: { role: 600 }, parrot: { is_bot: true, bot_owner_id: 1 } },
    prepare: (tx, ids) =>
      void tx.run("UPDATE users SET bot_owner_id = ? WHERE id = ?", ids["emilia"] as number, ids["parrot"] as number),
    channels: [
      { name: "general", subscribers: ["desdemona", "hamlet", "othello", "emilia", "parrot"] },
      { name: "guests", subscribers: ["polonius", "hamlet", "roderigo"] },
      { name: "council", private: true, subscribers: ["desdemona", "emilia", "cordelia"] },
    ],
  });
  const random = numbers(SEED);
  const one = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const owner = chat.as("desdemona");
  const id = (name: string) => chat.ids[name] as number;
  const group = (name: string) =>
    chat.server.app.store.reader.value<number>("SELECT id FROM user_groups WHERE name = ?", name) as number;
  const anybody = ["hamlet", "polonius", "cordelia", "othello", "emilia", "roderigo"];
  const leaving = ["othello", "emilia", "roderigo", "parrot"];
  const channels = ["general", "guests", "council"];
  const active = (names: readonly string[]) => names.filter((name) => chat.user(name).is_active);
  const steps: Record<string, () => Promise<{ result: string; msg: string }>> = {
    role: () => owner.patch(`/users/${id(one(anybody))}`, { role: one([100, 200, 300, 400, 400, 600, 600]) }),
    rename: () => owner.patch(`/users/${id(one(anybody))}`, { full_name: `Name ${random(1000)}` }),
    leave: () => owner.delete(`/users/${id(one(leaving))}`),
    comeBack: () => owner.post(`/users/${id(one(leaving))}/reactivate`),
    join: () =>
      owner.post("/users/me/subscriptions", {
        subscriptions: [{ name: one(channels) }],
        principals: [id(one(active([...anybody, "bot"])))],
      }),
    part: () =>
      owner.delete("/users/me/subscriptions", {
        subscriptions: [one(["general", "guests"])],
        principals: [id(one(active(anybody)))],
      }),
    write: () =>
      owner.post("/messages", {
        type: "direct",
        to: [id(one(active(anybody))), id(one(active(anybody)))],
        content: "hello",
      }),
    limit: () =>
      owner.patch("/realm", {
        can_access_all_users_group: { new: group(one(["role:everyone", "role:members", "role:members"])) },
      }),
    hide: () =>
      chat
        .as(one(["hamlet", "cordelia", "desdemona"]))
        .patch("/settings", { email_address_visibility: one([1, 2, 3, 4, 5]) }),
    add: () =>
      owner.post("/users", {
        email: `new${random(1e9)}@example.com`,
        full_name: "Newcomer",
        password: "a motley fool",
      }),
    say: () => chat.as("hamlet").post("/users/me/status", { status_text: `busy ${random(1000)}` }),
  };
  let done = 0;
  for (let step = 0; step < STEPS; step++) {
    const name = one(Object.keys(steps));
    const { result } = await (steps[name] as (typeof steps)[string])();
    if (result === "success") done += 1;
    try {
      if (step % 3 === 2 || step === STEPS - 1) await chat.checkEvents();
    } catch (error) {
      throw new Error(`step ${step}, ${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  assert.ok(done > STEPS / 2, `${done} of ${STEPS} steps changed something`);
});
