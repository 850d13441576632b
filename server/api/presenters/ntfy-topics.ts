import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { organizationSetting } from "../queries/organization.ts";

/** docs/protocol.md#ntfy. */
export const wireNtfyState = z.object({
  is_on: z.boolean(),
  server_url: z.string().describe("The server for the ntfy app: the URL of this request."),
  topic: z.string().nullable().describe("Null while it is off. A secret: it is all that a phone needs."),
  app_url: z.string().nullable().describe("Opens the ntfy app for Android, which then subscribes."),
  connections: z.int().describe("Phones that are connected now."),
});
export type NtfyState = z.output<typeof wireNtfyState>;

/** `topic`: null while it is off. */
export function ntfyState(
  reader: Reader,
  { topic, baseUrl, connections }: { topic: string | null; baseUrl: string; connections: number },
): NtfyState {
  return {
    is_on: topic !== null,
    server_url: baseUrl,
    topic,
    app_url: topic && appUrl(`${baseUrl}/${topic}`, organizationSetting(reader, "name")),
    connections,
  };
}

/** https://docs.ntfy.sh/subscribe/phone/#ntfy-links */
function appUrl(topicUrl: string, display: string): string {
  const isEncrypted = topicUrl.startsWith("https:");
  const query = `?display=${encodeURIComponent(display)}${isEncrypted ? "" : "&secure=false"}`;
  return topicUrl.replace(/^https?:/, "ntfy:") + query;
}
