import type { Chat } from "./chat.ts";

/**
 * IDs of unlogged events are reserved in the log, and the first such event waits until that is on disk. After this
 * call, such events are in the queues when the response arrives.
 */
export async function reserveEventIds(chat: Chat): Promise<void> {
  await chat.as("bot").post("/typing", { op: "start", to: [chat.ids["bot"]] });
  await chat.register("bot", { event_types: ["heartbeat"] });
}
