import { type Clocks, type Limits, RateLimiter, type Rule, rateLimitHit } from "./rate-limits.ts";

/** A sign-in in progress. Call exactly one of these, once. */
export interface SignInAttempt {
  succeeded(): void;
  failed(): void;
  /** Whether the password was right is unknown, so the attempt does not count. */
  abandoned(): void;
}

/**
 * Wrong passwords for an account name: a total from addresses where the account never signed in, and another total
 * from addresses where it did. So a stranger cannot use up the second.
 */
const GUESSES_OF_ACCOUNT: readonly Rule[] = [[86_400, 100]];

/** The slice bounds memory. Names that differ only after it share a limit. */
const keyOf = (username: string): string => username.trim().slice(0, 200).normalize("NFC").toLowerCase();

/** No source contains a space, so pairs never share a key. */
const pairOf = (username: string, source: string): string => `${source} ${keyOf(username)}`;

/** Wrong guesses by key. An attempt counts from its beginning, so that parallel attempts cannot exceed the limit. */
class GuessLimit {
  readonly #limiter: RateLimiter;
  readonly #underWay = new Map<string, number>();

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter;
  }

  get size() {
    return this.#limiter.size;
  }

  begin(key: string): void {
    const underWay = this.#underWay.get(key) ?? 0;
    try {
      this.#limiter.count(key);
    } catch (error) {
      // Attempts in progress may succeed, and then there is room.
      throw underWay > 0 ? rateLimitHit(1) : error;
    }
    this.#underWay.set(key, underWay + 1);
  }

  end(key: string, wrong: boolean): void {
    const underWay = this.#underWay.get(key) ?? 0;
    if (underWay > 1) this.#underWay.set(key, underWay - 1);
    else this.#underWay.delete(key);
    if (!wrong) this.#limiter.takeBack(key);
  }

  delete(key: string): void {
    this.#limiter.delete(key);
  }
}

/**
 * Limits the guessing of passwords, without a way to lock other people out. Wrong passwords count for the account and
 * the source together, for the source, and for the account. A source from which the account has signed in has only a
 * total of its own, which no other source can use up. Limits: docs/protocol.md#rate-limits.
 */
export class SignInThrottle {
  readonly #on: () => boolean;
  readonly #pairs: GuessLimit;
  readonly #sources: GuessLimit;
  readonly #accounts: GuessLimit;
  readonly #knownSources: GuessLimit;

  constructor({
    clocks,
    limits,
    on = () => true,
    accountLimit = GUESSES_OF_ACCOUNT,
    capacity = 10_000,
  }: {
    clocks?: Clocks;
    limits: () => Limits;
    on?: () => boolean;
    accountLimit?: readonly Rule[];
    capacity?: number;
  }) {
    const limit = (rules: () => readonly Rule[]) => new GuessLimit(new RateLimiter(rules, clocks, capacity));
    this.#on = on;
    this.#pairs = limit(() => limits().authenticate_by_username ?? []);
    this.#sources = limit(() => limits().authenticate_by_ip ?? []);
    this.#accounts = limit(() => accountLimit);
    this.#knownSources = limit(() => accountLimit);
  }

  /** The number of names and sources in memory. */
  get size() {
    return this.#pairs.size + this.#sources.size + this.#accounts.size + this.#knownSources.size;
  }

  /** Another proof of identity resets the counters of the account. */
  forgive(username: string, source: string): void {
    this.#pairs.delete(pairOf(username, source));
    this.#accounts.delete(keyOf(username));
    this.#knownSources.delete(keyOf(username));
  }

  /**
   * `source`: the address as limits count it. `known`: this account has signed in from it before.
   *
   * @throws RATE_LIMIT_HIT with the seconds to wait, the same whether or not the account exists.
   */
  begin(username: string, source: string, { known = false } = {}): SignInAttempt {
    if (!this.#on()) return { succeeded() {}, failed() {}, abandoned() {} };
    const pair = pairOf(username, source);
    const counted: [GuessLimit, string][] = known
      ? [[this.#knownSources, keyOf(username)]]
      : [
          [this.#pairs, pair],
          [this.#sources, source],
          [this.#accounts, keyOf(username)],
        ];
    let open = 0;
    const end = (wrong: boolean) => {
      for (const [limit, key] of counted.slice(0, open)) limit.end(key, wrong);
      open = 0;
    };
    try {
      for (const [limit, key] of counted) {
        limit.begin(key);
        open++;
      }
    } catch (error) {
      end(false);
      throw error;
    }
    return {
      succeeded: () => {
        if (open > 0) this.#pairs.delete(pair);
        end(false);
      },
      failed: () => end(true),
      abandoned: () => end(false),
    };
  }
}
