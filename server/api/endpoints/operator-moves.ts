import { z } from "zod";
import { heldContents, newerThan } from "../queries/backups.ts";
import { endpoint } from "./endpoint.ts";

export const getOldFolder = endpoint({
  route: "GET /host/old-folder",
  summary: "The folder that the data was moved from, while it is kept, and what has come since.",
  who: "operator or owner",
  bots: false,
  outsideApi: true,
  response: z.object({
    old: z
      .object({
        folder: z.string(),
        moved_at: z.int().describe("Milliseconds since the epoch."),
        messages: z.int().describe("Sent since; the way back leaves them behind."),
        people: z.int().describe("Who have joined since."),
        is_unchanged: z.boolean().describe("Nothing at all was written since."),
      })
      .nullable(),
  }),
  handle: ({ app, reader }) => {
    const found = app.oldFolder();
    if (!found) return { old: null };
    const { path, mark } = found;
    const { seq = 0, messageId = 0, userId = 0 } = mark.baseline ?? {};
    const { key_rotations: keyRotations } = heldContents(reader);
    const { messages, people } = newerThan(reader, { messageId, userId, keyRotations });
    return { old: { folder: path, moved_at: mark.at, messages, people, is_unchanged: app.store.seq === seq } };
  },
});
