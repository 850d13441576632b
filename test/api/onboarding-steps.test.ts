import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

test("a completed onboarding step is not shown again", async (t) => {
  const chat = await startChat(t);
  const hamlet = chat.as("hamlet");
  const done = (onboarding_step?: string) => hamlet.post("/users/me/onboarding_steps", { onboarding_step });
  const [own, other] = [await chat.register("hamlet"), await chat.register("othello")];
  const steps = own.state.onboarding_steps ?? [];
  const name = "intro_resolve_topic";
  assert.ok(steps.some((step) => step.name === name && step.type === "one_time_notice"));
  for (const _ of [1, 2]) assert.equal((await done(name)).status, 200);
  const onboarding_steps = steps.filter((step) => step.name !== name);
  const events = await own.events();
  assert.deepEqual(
    events.map(({ id: _, ...event }) => event),
    [{ type: "onboarding_steps", onboarding_steps }],
  );
  assert.deepEqual(await other.events(), []);
  for (const unknown of ["no_such_step", "", undefined]) assert.equal((await done(unknown)).status, 400);
  assert.equal((await chat.as("bot").post("/users/me/onboarding_steps", { onboarding_step: name })).result, "error");
  assert.deepEqual((await chat.register("bot")).state.onboarding_steps, []);
  await chat.restart();
  assert.deepEqual((await chat.register("hamlet")).state.onboarding_steps, onboarding_steps);
  assert.deepEqual((await chat.register("othello")).state.onboarding_steps, steps);
});
