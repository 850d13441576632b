import { lookup } from "node:dns/promises";
import { OwnerTurns } from "./owner-turns.ts";

/**
 * A lookup can block one of the four threads of Node's pool for half a minute, and the log's flushes need that pool. So
 * at most two lookups run in parallel, and an owner whose lookups time out gets only one of them.
 */
const MAX_LOOKUPS = 2;

const lookedUp = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** Resolves hostnames. */
export class Lookups {
  readonly #lookUp: (name: string) => Promise<string[]>;
  readonly #turns = new OwnerTurns<() => void>(MAX_LOOKUPS);
  /** By owner and name. Owners do not share lookups, because one owner would wait for the turn of another. */
  readonly #pending = new Map<string, Promise<string[]>>();

  constructor(lookUp = lookedUp) {
    this.#lookUp = lookUp;
  }

  /** The addresses of a name. Parallel calls of an owner for the same name share a lookup. */
  addressesOf(name: string, owner: number, timeoutMs: number): Promise<string[]> {
    const key = `${owner} ${name}`;
    const pending =
      this.#pending.get(key) ?? this.#inTurn(name, owner, timeoutMs).finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  async #inTurn(name: string, owner: number, timeoutMs: number): Promise<string[]> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const queuedAt = performance.now();
    this.#turns.add(owner, resolve);
    this.#goOn();
    await promise;
    try {
      // The delivery has failed already. Its retry looks the name up again.
      if (performance.now() - queuedAt > timeoutMs) throw Object.assign(new Error(name), { code: "EAI_AGAIN" });
      return await this.#lookUp(name);
    } finally {
      this.#turns.release(resolve);
      this.#goOn();
    }
  }

  #goOn(): void {
    for (let next = this.#turns.take(); next; next = this.#turns.take()) next();
  }
}
