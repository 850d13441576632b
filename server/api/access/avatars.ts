import type { Reader } from "../../storage/transaction.ts";
import type { User } from "../queries/users.ts";
import { userNamed } from "./direct-messages.ts";
import { canSeeUser } from "./people.ts";
import { isSpectator } from "./public-access.ts";

/**
 * Whose picture the viewer may see, by id, login address or API email. Undefined both for a user whom the viewer may
 * not know of and for nobody. Outside transactions only.
 */
export function userToPicture(reader: Reader, viewer: User, named: number | string): User | undefined {
  const user = userNamed(reader, viewer, named);
  return user && (isSpectator(viewer) || canSeeUser(reader, viewer, user)) ? user : undefined;
}
