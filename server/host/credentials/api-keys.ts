import { createHmac, timingSafeEqual } from "node:crypto";
import type { User } from "../../api/queries/users.ts";

const KEY_LENGTH = 32;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export interface ApiKeys {
  /** The user's key of the current generation: 32 letters and digits. */
  keyOf(user: Pick<User, "id" | "key_generation">): string;
  /** Whether the key is the user's; takes equally long wherever they differ. */
  matches(user: Pick<User, "id" | "key_generation">, key: string): boolean;
  /** The token of an invitation's link, 256 bits: it is derived from the secret and the stored seed. */
  invitationToken(seed: string): string;
}

/** No key is stored: each is derived from the secret, the user and a generation that rotation raises. */
export function apiKeys(secret: Buffer): ApiKeys {
  const keyOf: ApiKeys["keyOf"] = ({ id, key_generation }) => {
    let rest = BigInt(`0x${createHmac("sha512", secret).update(`api key ${id} ${key_generation}`).digest("hex")}`);
    let key = "";
    for (; key.length < KEY_LENGTH; rest /= 62n) key += DIGITS[Number(rest % 62n)];
    return key;
  };
  return {
    keyOf,
    matches(user, key) {
      const [expected, given] = [Buffer.from(keyOf(user)), Buffer.from(key)];
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
    invitationToken: (seed) => createHmac("sha256", secret).update(`invitation ${seed}`).digest("base64url"),
  };
}
