import { type Client, Refusal } from "../../ui/api/client.ts";
import { Drafts } from "../../ui/chat/model/drafts.ts";
import { BrowserMemory } from "./browser-memory.ts";

export const SELF = 7;
/** The conversation of the drafts. */
export const TOPIC = { kind: "topic", channelId: 5, topic: "lunch" } as const;

export function startDrafts(storage = new BrowserMemory()) {
  const stored = new Map<number, { content: string }>();
  const calls: string[] = [];
  const call = async (
    route: string,
    input: { draft_id: number; draft: { content: string }; drafts: { content: string }[] },
  ) => {
    calls.push(route);
    if (route === "POST /drafts") {
      if ((input.drafts[0] as { topic?: string }).topic === "refused")
        throw new Refusal(400, { code: "BAD_REQUEST", msg: "Invalid channel ID" });
      const id = stored.size + 1;
      stored.set(id, input.drafts[0] as { content: string });
      return { ids: [id] };
    }
    if (route.startsWith("PATCH")) stored.set(input.draft_id, input.draft);
    else stored.delete(input.draft_id);
    return {};
  };
  const drafts = new Drafts({ client: { call } as unknown as Client, storage, userId: SELF });
  const text = () => [...drafts.store.value.values()].map((one) => one.text);
  return { drafts, stored, calls, storage, text };
}
