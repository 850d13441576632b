import { z } from "zod";
import { defaultStreamGroups } from "../queries/default-stream-groups.ts";
import { ROLES } from "../queries/users.ts";
import { registerPart } from "./register-part.ts";

/** Channels that a new member can subscribe to together. See docs/protocol.md#other-records. */
export const wireDefaultStreamGroup = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  streams: z.array(z.int()).describe("Channel IDs, ascending."),
});
export type WireDefaultStreamGroup = z.output<typeof wireDefaultStreamGroup>;

export const registerParts = {
  default_stream_groups: registerPart({
    fields: { realm_default_stream_groups: z.array(wireDefaultStreamGroup) },
    read: ({ reader, viewer }) => ({
      realm_default_stream_groups: viewer.role === ROLES.guest ? [] : defaultStreamGroups(reader),
    }),
    spectators: { realm_default_stream_groups: [] },
  }),
};
