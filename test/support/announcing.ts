import type { Chat } from "./chat.ts";

/**
 * Ids of events that are not logged are reserved in the log: the first such event goes out only when that is on disk,
 * later ones at once. After this a test finds each in the queues as soon as what caused it is answered.
 */
export async function reserveEventIds(chat: Chat): Promise<void> {
  const to = [chat.ids["bot"]];
  await chat.as("desdemona").post("/typing", { op: "start", to });
  await chat.register("bot", { event_types: ["heartbeat"] });
}
