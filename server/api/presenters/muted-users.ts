import { z } from "zod";
import { mutedUsersOf, wireMutedUser } from "../queries/muted-users.ts";
import { registerPart } from "./register-part.ts";

export const registerParts = {
  muted_users: registerPart({
    fields: { muted_users: z.array(wireMutedUser) },
    read: ({ reader, viewer }) => ({ muted_users: mutedUsersOf(reader, viewer) }),
    spectators: { muted_users: [] },
  }),
};
