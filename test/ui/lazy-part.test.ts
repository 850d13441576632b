import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { loadPart } from "../../ui/parts/lazy-part.ts";

/** Scripted responses of the server; an Error means unreachable. */
function serverThat(...answers: (number | Error)[]) {
  Object.assign(globalThis, { window: { location: { pathname: "/admin/" } } });
  mock.method(globalThis, "fetch", async () => {
    const next = answers.shift();
    if (typeof next !== "number") throw next ?? new Error("asked once too often");
    return new Response(null, { status: next });
  });
}

/** Fails this many times, then loads. */
function partAfter(failures: number): () => Promise<string> {
  let left = failures;
  return async () => {
    if (left-- > 0) throw new TypeError("Failed to fetch dynamically imported module");
    return "the part";
  };
}

async function settled<T>(loading: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  loading.then(over, over);
  while (!isOver) {
    mock.timers.tick(5_000);
    await setImmediate();
  }
  return loading;
}

test("requests a part until the server responds", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.reset());
  serverThat(new Error("refused"), 503, new Error("refused"), 200);
  assert.equal(await settled(loadPart(partAfter(4))), "the part");
});

test("reports a part that the server no longer has", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.reset());
  serverThat(200, 200, 200);
  await assert.rejects(settled(loadPart(partAfter(9))), /Failed to fetch/);
});

test("loads a part that the browser dropped three times", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.reset());
  serverThat(200, 200, 200);
  assert.equal(await settled(loadPart(partAfter(3))), "the part");
});
