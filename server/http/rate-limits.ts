import type { IncomingMessage } from "node:http";
import { ApiError, problem } from "../errors.ts";
import { requestSource } from "./caller.ts";

/** `[seconds, most]`: at most `most` in `seconds`. */
export type Rule = readonly [seconds: number, most: number];

/** Rules by name: docs/protocol.md#rate-limits. A name without rules has no limit. */
export interface Limits {
  readonly api_by_user?: readonly Rule[];
  readonly api_by_ip?: readonly Rule[];
  readonly authenticate_by_username?: readonly Rule[];
  readonly authenticate_by_ip?: readonly Rule[];
}

/** Milliseconds of two clocks. */
export interface Clocks {
  /** Since the epoch. Jumps when the clock is set. */
  readonly now: () => number;
  /** Since an arbitrary moment. Never jumps. */
  readonly monotonic: () => number;
}

export const realClocks: Clocks = { now: Date.now, monotonic: () => performance.now() };

/** `reset` is the Unix second at which the whole limit is available again. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
}

export const rateLimitHeaders = ({ limit, remaining, reset }: RateLimitStatus): Record<string, string> => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(reset),
});

/** With `status`, the response has the rate-limit headers. */
export const rateLimitHit = (
  seconds: number,
  status?: RateLimitStatus,
  reason: "too_many_requests" | "too_much_text_sent" = "too_many_requests",
) => {
  const wait = Math.max(0.001, Math.ceil(seconds * 1000) / 1000);
  return new ApiError(
    "RATE_LIMIT_HIT",
    problem(reason, { count: Math.ceil(wait) }),
    { "retry-after": wait },
    { status: 429, headers: { "retry-after": String(Math.ceil(wait)), ...(status && rateLimitHeaders(status)) } },
  );
};

/**
 * Counts requests, or bytes, by key. For each key and rule it stores the time at which the key's debt is paid off. Each
 * unit adds seconds/most to the debt, and a debt above the window is refused. So a burst up to the limit passes, and
 * room returns evenly. Uses the monotonic clock, since a wall clock that is set back would lock everyone out.
 */
export class RateLimiter {
  readonly #rules: () => readonly Rule[];
  readonly #clocks: Clocks;
  readonly #capacity: number;
  readonly #paidOff = new Map<string | number, number[]>();

  /** Stores at most `capacity` keys. Among the oldest keys, removes those with the least debt first. */
  constructor(rules: () => readonly Rule[], clocks: Clocks = realClocks, capacity = 10_000) {
    this.#rules = rules;
    this.#clocks = clocks;
    this.#capacity = capacity;
  }

  get size() {
    return this.#paidOff.size;
  }

  /** Counts a request. Undefined without rules. @throws RATE_LIMIT_HIT without counting the request. */
  count(key: string | number): RateLimitStatus | undefined {
    return this.#count(key, 1);
  }

  /** @throws RATE_LIMIT_HIT without counting the bytes. */
  countBytes(key: string | number, bytes: number): void {
    this.#count(key, bytes, "too_much_text_sent");
  }

  #count(key: string | number, units: number, reason?: "too_much_text_sent"): RateLimitStatus | undefined {
    const rules = this.#rules();
    if (rules.length === 0) return undefined;
    const now = this.#clocks.monotonic();
    const unixSeconds = (time: number) => Math.ceil((this.#clocks.now() + time - now) / 1000);
    let debts = this.#paidOff.get(key);
    if (debts?.length !== rules.length) {
      debts = rules.map(() => now);
      this.#paidOff.delete(key);
      this.#makeRoom(now);
      this.#paidOff.set(key, debts);
    }
    let status: RateLimitStatus = { limit: 0, remaining: Number.POSITIVE_INFINITY, reset: 0 };
    for (let i = 0; i < rules.length; i++) {
      const [seconds, most] = rules[i] as Rule;
      const due = Math.max(now, debts[i] as number) + (units * seconds * 1000) / most;
      // Half a millisecond of tolerance, since `most` fractions do not add up to the window exactly.
      const excess = due - now - seconds * 1000;
      if (excess > 0.5) {
        const atLimit = { limit: most, remaining: 0, reset: unixSeconds(debts[i] as number) };
        // The rate-limit headers are about requests, not bytes.
        throw rateLimitHit(excess / 1000, reason === undefined ? atLimit : undefined, reason);
      }
      const remaining = Math.floor(((0.5 - excess) * most) / (seconds * 1000));
      if (remaining < status.remaining) status = { limit: most, remaining, reset: unixSeconds(due) };
    }
    for (let i = 0; i < rules.length; i++) {
      const [seconds, most] = rules[i] as Rule;
      debts[i] = Math.max(now, debts[i] as number) + (units * seconds * 1000) / most;
    }
    return status;
  }

  /** Reverses the count of a request. */
  takeBack(key: string | number): void {
    const rules = this.#rules();
    const debts = this.#paidOff.get(key);
    if (debts?.length !== rules.length) return;
    for (let i = 0; i < rules.length; i++) {
      const [seconds, most] = rules[i] as Rule;
      debts[i] = (debts[i] as number) - (seconds * 1000) / most;
    }
  }

  delete(key: string | number): void {
    this.#paidOff.delete(key);
  }

  #makeRoom(now: number) {
    if (this.#paidOff.size < this.#capacity) return;
    let looked = 0;
    let [least, leastDebt]: [string | number | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const [key, debts] of this.#paidOff) {
      const debt = Math.max(...debts);
      if (debt <= now) this.#paidOff.delete(key);
      else if (debt < leastDebt) [least, leastDebt] = [key, debt];
      if (++looked >= 200) break;
    }
    if (this.#paidOff.size >= this.#capacity && least !== undefined) this.#paidOff.delete(least);
  }
}

interface LimitOptions {
  readonly answerableFor?: ((id: number) => number) | undefined;
  readonly limits?: (() => Limits) | undefined;
  readonly clocks?: Clocks | undefined;
}

/** The limit of a person and their bots together, as a multiple of the limit of a user. */
export const PERSON_FACTOR = 5;

/**
 * The limits of requests: by user after sign-in, otherwise by source. A bot has its own limit, so that a busy bot does
 * not block its owner. The limit of the person bounds the sum of their bots.
 */
export class RequestLimits {
  readonly #byUser: RateLimiter;
  readonly #byPerson: RateLimiter;
  readonly #bySource: RateLimiter;
  readonly #answerableFor: (id: number) => number;

  constructor({ limits = () => ({}), clocks, answerableFor = (id) => id }: LimitOptions) {
    const ofUser = () => limits().api_by_user ?? [];
    const ofPerson = () => ofUser().map(([seconds, most]) => [seconds, most * PERSON_FACTOR] as const);
    this.#answerableFor = answerableFor;
    this.#byUser = new RateLimiter(ofUser, clocks);
    this.#byPerson = new RateLimiter(ofPerson, clocks);
    this.#bySource = new RateLimiter(() => limits().api_by_ip ?? [], clocks);
  }

  /** @throws RATE_LIMIT_HIT */
  countUser(id: number): RateLimitStatus | undefined {
    const person = this.#answerableFor(id);
    const together = this.#byPerson.count(person);
    try {
      const own = this.#byUser.count(id);
      return own && together && together.remaining < own.remaining ? together : own;
    } catch (error) {
      this.#byPerson.takeBack(person);
      throw error;
    }
  }

  /** @throws RATE_LIMIT_HIT */
  countAddress(request: IncomingMessage): RateLimitStatus | undefined {
    return this.#bySource.count(requestSource(request));
  }
}
