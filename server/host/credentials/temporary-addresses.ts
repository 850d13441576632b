import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** How long a temporary address works: long enough to hand it to a browser, too short to be worth passing on. */
export const TEMPORARY_ADDRESS_MS = 60_000;

/**
 * Addresses that need no sign-in: `<expiry>.<name>.<signature>`. Nothing is stored; the key lives as long as the
 * server runs, and is longer than any address.
 */
export class TemporaryAddresses {
  readonly #key = randomBytes(32);
  readonly #monotonic: () => number;

  /** `monotonic`: milliseconds. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** `name` holds letters, digits, `-` and `_`. */
  sign(name: string): string {
    const signed = `${Math.ceil(this.#monotonic() + TEMPORARY_ADDRESS_MS).toString(36)}.${name}`;
    return `${signed}.${this.#signature(signed)}`;
  }

  /** The name that was signed; undefined where it was not, or has expired. */
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
