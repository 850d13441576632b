import { z } from "zod";
import { defaultStreamGroups, wireDefaultStreamGroup } from "../queries/default-stream-groups.ts";
import { ROLES } from "../queries/users.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  default_stream_groups: registerPart({
    fields: { realm_default_stream_groups: z.array(wireDefaultStreamGroup) },
    read: ({ reader, viewer }) => ({
      realm_default_stream_groups: viewer.role === ROLES.guest ? [] : defaultStreamGroups(reader),
    }),
    spectators: { realm_default_stream_groups: [] },
  }),
};
