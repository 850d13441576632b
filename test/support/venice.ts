import { createUser } from "../../server/api/actions/users.ts";
import { type User, userById } from "../../server/api/queries/users.ts";
import { apiKeys } from "../../server/host/credentials/derived-keys.ts";
import { readSecret } from "../../server/host/credentials/secret-key.ts";
import { initialize } from "../../server/host/first-run/init.ts";
import { openStore } from "../../server/storage/store.ts";

/** Smaller than the default, since each test copies the log. */
const SEGMENT_SIZE = 2 << 20;

/** Creates the organization of most tests, with its owner and three members, in a new folder. */
export async function makeVenice(folder: string) {
  const testing = { passwordCost: 1024, segmentSize: SEGMENT_SIZE };
  const owner = { ownerEmail: "owner@example.com", ownerName: "Owner", password: "secret-owner" };
  await initialize({ folder, organization: "Venice", ...owner, testing });
  const store = await openStore({ folder, testing: { segmentSize: SEGMENT_SIZE } });
  const users = store.transact({ actor: null, action: "test" }, (tx) => {
    const first = userById(tx, 1) as User;
    const more = ["Hamlet", "Othello", "Cordelia"].map((full_name) =>
      createUser(tx, first, { email: `${full_name.toLowerCase()}@example.com`, full_name, password_hash: null }),
    );
    return [first, ...more];
  });
  await store.close();
  const keys = apiKeys(readSecret(folder));
  return users.map((user) => ({
    id: user.id,
    authorization: `Basic ${Buffer.from(`${user.email}:${keys.keyOf(user)}`).toString("base64")}`,
  }));
}
