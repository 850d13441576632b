import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Long enough to open the URL in a browser, too short to share it. */
export const TEMPORARY_ADDRESS_MS = 60_000;

/** Parts of URLs that need no sign-in: `<expiry>.<name>.<signature>`. Not stored. The key is new at each start. */
export class TemporaryAddresses {
  readonly #key = randomBytes(32);
  readonly #monotonic: () => number;

  /** `monotonic`: milliseconds. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** `name` contains only letters, digits, `-` and `_`. */
  sign(name: string): string {
    const signed = `${Math.ceil(this.#monotonic() + TEMPORARY_ADDRESS_MS).toString(36)}.${name}`;
    return `${signed}.${this.#signature(signed)}`;
  }

  /** The signed name; undefined if the signature is wrong or expired. */
  nameIn(address: string): string | undefined {
    const [expiry = "", name = "", signature = "", more] = address.split(".");
    if (more !== undefined || !/^[\da-z]{1,11}$/.test(expiry)) return undefined;
    const [expected, given] = [Buffer.from(this.#signature(`${expiry}.${name}`)), Buffer.from(signature)];
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
    return Number.parseInt(expiry, 36) >= this.#monotonic() ? name : undefined;
  }

  #signature(signed: string): string {
    return createHmac("sha256", this.#key).update(signed).digest("base64url");
  }
}
