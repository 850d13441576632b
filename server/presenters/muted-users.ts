import { mutedUsersOf } from "../queries/muted-users.ts";
import type { RegisterPart } from "./register-context.ts";

export const registerParts: Record<string, RegisterPart> = {
  muted_users: ({ reader, viewer }) => ({ muted_users: mutedUsersOf(reader, viewer) }),
};
