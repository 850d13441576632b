import type { Chat } from "./chat.ts";

/**
 * Ids of events that are not logged are reserved in the log, and the first such event waits until that is on disk. After
 * this call, such events are in the queues as soon as the request that causes them is answered.
 */
export async function reserveEventIds(chat: Chat): Promise<void> {
  const to = [chat.ids["bot"]];
  await chat.as("desdemona").post("/typing", { op: "start", to });
  await chat.register("bot", { event_types: ["heartbeat"] });
}
