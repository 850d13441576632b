import { z } from "zod";
import type { Reader } from "../../storage/transaction.ts";
import { mutedUsersOf } from "../queries/muted-users.ts";
import type { User } from "../queries/users.ts";
import { registerPart } from "./register-part.ts";

const wireMutedUser = z.object({ id: z.int(), timestamp: z.int().describe("UNIX seconds.") });
export type WireMutedUser = z.output<typeof wireMutedUser>;

export const ownMutedUsers = (reader: Reader, viewer: User): WireMutedUser[] =>
  mutedUsersOf(reader, viewer).map(({ id, muted_at }) => ({ id, timestamp: Math.floor(muted_at / 1000) }));

export const registerParts = {
  muted_users: registerPart({
    fields: { muted_users: z.array(wireMutedUser) },
    read: ({ reader, viewer }) => ({ muted_users: ownMutedUsers(reader, viewer) }),
    spectators: { muted_users: [] },
  }),
};
