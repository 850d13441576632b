import { defaultStreamGroups } from "../queries/default-stream-groups.ts";
import type { RegisterPart } from "./register-context.ts";

export const registerParts: Record<string, RegisterPart> = {
  default_stream_groups: ({ reader, viewer }) => ({
    realm_default_stream_groups: viewer.role === 600 ? [] : defaultStreamGroups(reader),
  }),
};
