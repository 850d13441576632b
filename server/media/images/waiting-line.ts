/** Jobs of people who take turns: after a job of one person, the others come first. */
export class WaitingLine<Job> {
  readonly #maxOfPerson: number;
  /** By person. */
  readonly #jobs = new Map<number, Job[]>();
  /** Counts turns, and has the latest turn of each person. */
  #turn = 0;
  readonly #latest = new Map<number, number>();

  constructor(maxOfPerson: number) {
    this.#maxOfPerson = maxOfPerson;
  }

  /** Adds a job before the person's own jobs that `isLater`. Returns false where too many of the person wait. */
  add(person: number, job: Job, isLater: (other: Job) => boolean): boolean {
    const own = this.#jobs.get(person) ?? [];
    if (own.length >= this.#maxOfPerson) return false;
    const position = own.findIndex(isLater);
    own.splice(position < 0 ? own.length : position, 0, job);
    this.#jobs.set(person, own);
    return true;
  }

  /** The first job of the person who has waited longest for a turn; undefined where nobody waits. */
  next(): Job | undefined {
    const latest = (person: number) => this.#latest.get(person) ?? 0;
    const [person] = [...this.#jobs.keys()].sort((a, b) => latest(a) - latest(b));
    if (person === undefined) {
      this.#latest.clear();
      return undefined;
    }
    const [job, ...others] = this.#jobs.get(person) as Job[];
    if (others.length > 0) this.#jobs.set(person, others);
    else this.#jobs.delete(person);
    this.#turn += 1;
    this.#latest.set(person, this.#turn);
    return job;
  }

  clear(): Job[] {
    const all = [...this.#jobs.values()].flat();
    this.#jobs.clear();
    return all;
  }
}
