import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

test("sends succeed while the next log segment is prepared", async (t) => {
  // One send in ten needs a new segment and takes longer.
  const chat = await startChat(t, { testing: { segmentSize: 256 << 10 }, unwatched: true });
  const hamlet = chat.as("hamlet");
  const content = "x".repeat(10_000);
  const send = () => hamlet.post("/messages", { type: "direct", to: [hamlet.id], content });
  const statuses = new Map<number, number>();
  const sender = async () => {
    for (let sent = 0; sent < 25; sent += 1) {
      const { status } = await send();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, sender));
  assert.deepEqual(Object.fromEntries(statuses), { 200: 200 });
});
