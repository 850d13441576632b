import type { TestContext } from "node:test";
import type { Body, Chat } from "./chat.ts";

// Shared by tests of GET /host/state: the operator's request and a clock that the tests move.

export const OPERATOR = { authorization: "Bearer operator's own" };

/** The operator's request; `after` makes it a long poll. */
export const state = (chat: Chat, after?: number): Promise<Body> =>
  chat.anonymous("GET", "/host/state", { after }, OPERATOR);

/** The server checks for changes at this interval and takes no other sample within it. */
export const LOOK_MS = 250;
/** After this time there is a new sample in any case. */
export const SAMPLE_MS = 2000;

/** Stops the clock and the interval that trigger the server's samples. Only `pass` advances them. */
export function stopTime(t: TestContext): { pass(ms: number): void } {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  t.mock.timers.enable({ apis: ["setInterval"] });
  return {
    pass(ms) {
      now += ms;
      t.mock.timers.tick(ms);
    },
  };
}

export const send = (chat: Chat, from: string, content: string) =>
  chat.as(from).post("/messages", { type: "direct", to: [chat.ids["iago"]], content });
