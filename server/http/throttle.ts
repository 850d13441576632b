import { DEFAULT_LIMITS, type Limits, type Rule, rateLimitHit } from "./rate-limits.ts";

/** A sign-in under way. Call exactly one of these, once. */
export interface SignInAttempt {
  succeeded(): void;
  failed(): void;
  /** Nobody knows whether the password was right: it counts for nothing. */
  abandoned(): void;
}

interface Record {
  failures: number[];
  underWay: number;
}

/** The slice bounds memory; two names that differ only after it share a limit. */
const keyOf = (username: string): string => username.trim().slice(0, 200).normalize("NFC").toLowerCase();

/**
 * Slows down guessing of passwords: counts failures per account name and per address. An attempt counts from its
 * beginning, so that many at once cannot slip through, and a success takes its own back, and the name's failures.
 * Limits: docs/protocol.md#rate-limits.
 */
export class SignInThrottle {
  readonly #now: () => number;
  readonly #limits: () => Limits;
  readonly #on: () => boolean;
  readonly #capacity: number;
  readonly #names = new Map<string, Record>();
  readonly #addresses = new Map<string, Record>();

  constructor({
    now = Date.now,
    limits = () => ({}),
    on = () => true,
    capacity = 10_000,
  }: { now?: () => number; limits?: () => Limits; on?: () => boolean; capacity?: number } = {}) {
    this.#now = now;
    this.#limits = limits;
    this.#on = on;
    this.#capacity = capacity;
  }

  /** How many names and addresses are remembered. */
  get size() {
    return this.#names.size + this.#addresses.size;
  }

  /** Whoever has shown otherwise whose name it is begins anew with it: what failed under it counts no more. */
  forgive(username: string): void {
    const record = this.#names.get(keyOf(username));
    if (record) record.failures.length = 0;
  }

  /** @throws RATE_LIMIT_HIT with the seconds to wait, alike for accounts that exist and those that do not. */
  begin(username: string, address: string): SignInAttempt {
    if (!this.#on()) return { succeeded() {}, failed() {}, abandoned() {} };
    const limits = this.#limits();
    const name = this.#record(
      this.#names,
      keyOf(username),
      limits.authenticate_by_username ?? DEFAULT_LIMITS.authenticate_by_username,
    );
    const from = this.#record(this.#addresses, address, limits.authenticate_by_ip ?? DEFAULT_LIMITS.authenticate_by_ip);
    name.underWay++;
    from.underWay++;
    let open = true;
    const end = (as: keyof SignInAttempt) => {
      if (!open) return;
      open = false;
      name.underWay--;
      from.underWay--;
      const now = this.#now();
      if (as === "failed") {
        name.failures.push(now);
        from.failures.push(now);
      }
      if (as === "succeeded") name.failures.length = 0;
    };
    return { succeeded: () => end("succeeded"), failed: () => end("failed"), abandoned: () => end("abandoned") };
  }

  #record(records: Map<string, Record>, key: string, rules: readonly Rule[]): Record {
    const now = this.#now();
    const longest = Math.max(...rules.map(([seconds]) => seconds)) * 1000;
    const kept = records.get(key);
    const record = kept ?? { failures: [], underWay: 0 };
    record.failures = record.failures.filter((time) => time > now - longest);
    for (const [seconds, most] of rules) {
      const recent = record.failures.filter((time) => time > now - seconds * 1000);
      if (recent.length + record.underWay < most) continue;
      const blocking = recent[recent.length + record.underWay - most];
      throw rateLimitHit(blocking === undefined ? 1 : (blocking + seconds * 1000 - now) / 1000);
    }
    if (!kept) {
      if (records.size >= this.#capacity) this.#makeRoom(records, now - longest);
      records.set(key, record);
    }
    return record;
  }

  #makeRoom(records: Map<string, Record>, since: number) {
    for (const [key, { failures, underWay }] of records) {
      if (underWay === 0 && failures.every((time) => time <= since)) records.delete(key);
    }
    for (const [key, { underWay }] of records) {
      if (records.size < this.#capacity) return;
      if (underWay === 0) records.delete(key);
    }
  }
}
