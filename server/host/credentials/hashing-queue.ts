import { ApiError, problem } from "../../errors.ts";

export interface HashingTurn {
  /** The source, as limits count it. */
  readonly source: string;
  /** The account in the request. */
  readonly account?: string | undefined;
  /** User id of the likely caller: signed in now, or earlier from this source. Callers without it are strangers. */
  readonly person?: number | undefined;
}

/** Limits of pending hashes: per source or person; of strangers per account; of all strangers; of all persons. */
export const MAX_WAITING = { each: 20, account: 20, all: 40 };

const RETRY_SECONDS = 5;
const tooManyAtOnce = () =>
  new ApiError(
    "RATE_LIMIT_HIT",
    problem("too_many_sign_ins"),
    { "retry-after": RETRY_SECONDS },
    { status: 429, headers: { "Retry-After": String(RETRY_SECONDS) } },
  );

interface Waiting extends HashingTurn {
  readonly begin: () => void;
  readonly refuse: (error: ApiError) => void;
  /** Whether a newer hash of another source went first. */
  wasPassed: boolean;
}

/** By source or person, in the order of their turns. */
type Lane = Map<string | number, Waiting[]>;

const keyOf = ({ person, source }: HashingTurn): string | number => person ?? source;

/**
 * Computes one hash at a time. Sources take turns, persons take turns, and both kinds alternate. So strangers cannot
 * delay a person for much longer than one hash, and cannot use up the limit of persons.
 */
export class HashingQueue {
  readonly #persons: Lane = new Map();
  readonly #strangers: Lane = new Map();
  #running: HashingTurn | undefined;

  /** @throws RATE_LIMIT_HIT if too many hashes are pending. */
  async run<T>(turn: HashingTurn, work: () => Promise<T>): Promise<T> {
    if (this.#running) await this.#wait(turn);
    else this.#running = turn;
    try {
      return await work();
    } finally {
      this.#next(turn);
    }
  }

  #laneOf({ person }: HashingTurn): Lane {
    return person === undefined ? this.#strangers : this.#persons;
  }

  #wait(turn: HashingTurn): Promise<void> {
    const lane = this.#laneOf(turn);
    if ((lane.get(keyOf(turn))?.length ?? 0) >= MAX_WAITING.each) throw tooManyAtOnce();
    const all = [...lane.values()].flat();
    const { account } = turn;
    if (turn.person === undefined && account !== undefined)
      makeRoom(lane, turn, { among: all.filter((waiting) => waiting.account === account), max: MAX_WAITING.account });
    makeRoom(lane, turn, { among: all, max: MAX_WAITING.all });
    return new Promise((begin, refuse) => {
      const waiting = { ...turn, begin, refuse, wasPassed: false };
      const own = lane.get(keyOf(turn));
      if (own) own.push(waiting);
      else lane.set(keyOf(turn), [waiting]);
    });
  }

  #next(finished: HashingTurn): void {
    // Other callers go before the next hash of the same caller.
    const lane = this.#laneOf(finished);
    const more = lane.get(keyOf(finished));
    if (more && lane.delete(keyOf(finished))) lane.set(keyOf(finished), more);
    const next = this.#chosen(finished);
    this.#running = next;
    if (!next) return;
    remove(this.#laneOf(next), next);
    next.begin();
  }

  #chosen(finished: HashingTurn): Waiting | undefined {
    const lanes = finished.person === undefined ? [this.#persons, this.#strangers] : [this.#strangers, this.#persons];
    const first = lanes.flatMap((lane) => [...lane.values()].map(([waiting]) => waiting as Waiting));
    const isSame = ({ source, person }: Waiting) =>
      source === finished.source || (person !== undefined && person === finished.person);
    const other = first.find((waiting) => !isSame(waiting));
    if (!other) return first[0];
    for (const waiting of first.slice(0, first.indexOf(other))) waiting.wasPassed = true;
    // If a source has strangers and persons, neither delays the other twice.
    return first.find(({ source, wasPassed }) => wasPassed && source === other.source) ?? other;
  }
}

/** At the limit, refuses the newest hash of the caller with the most. @throws RATE_LIMIT_HIT */
function makeRoom(lane: Lane, turn: HashingTurn, { among, max }: { among: readonly Waiting[]; max: number }): void {
  if (among.length < max) return;
  const counts = new Map<string | number, number>([[keyOf(turn), 1]]);
  for (const waiting of among) counts.set(keyOf(waiting), (counts.get(keyOf(waiting)) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const newest = among.findLast((waiting) => counts.get(keyOf(waiting)) === most);
  if (!newest || counts.get(keyOf(turn)) === most) throw tooManyAtOnce();
  remove(lane, newest);
  newest.refuse(tooManyAtOnce());
}

function remove(lane: Lane, waiting: Waiting): void {
  const key = keyOf(waiting);
  const others = (lane.get(key) ?? []).filter((other) => other !== waiting);
  if (others.length > 0) lane.set(key, others);
  else lane.delete(key);
}
