/** An exact set of user ids, as a bitmap: one bit per id up to the largest. Immutable. */
export class UserSet {
  readonly #bits: Uint8Array;
  #text: string | undefined;

  private constructor(bits: Uint8Array) {
    this.#bits = bits;
  }

  static readonly #cache = new WeakMap<object, { size: number; set: UserSet }>();

  /** Caches the bitmap of an array or set, for example of a channel's subscribers: do not change them in place. */
  static of(users: Iterable<number>): UserSet {
    if (users instanceof UserSet) return users;
    const size = Array.isArray(users) ? users.length : users instanceof Set ? users.size : undefined;
    const cached = UserSet.#cache.get(users);
    if (cached && cached.size === size) return cached.set;
    // An iterator can be read only once.
    const ids = size === undefined ? [...users] : users;
    let largest = 0;
    for (const id of ids) if (id > largest) largest = id;
    const bits = new Uint8Array((largest >> 3) + 1);
    for (const id of ids) bits[id >> 3] = (bits[id >> 3] as number) | (1 << (id & 7));
    const set = new UserSet(bits);
    if (size !== undefined) UserSet.#cache.set(users, { size, set });
    return set;
  }

  has(id: number): boolean {
    return ((this.#bits[id >> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }

  *[Symbol.iterator](): Generator<number> {
    for (let index = 0; index < this.#bits.length; index += 1) {
      const byte = this.#bits[index] as number;
      for (let bit = 0; byte >> bit; bit += 1) if (byte & (1 << bit)) yield index * 8 + bit;
    }
  }

  /** Base64 of the bitmap. */
  toJSON(): string {
    this.#text ??= Buffer.from(this.#bits).toString("base64");
    return this.#text;
  }

  static readonly #texts = new Map<string, UserSet>();

  static fromJSON(text: string): UserSet {
    let set = UserSet.#texts.get(text);
    if (!set) {
      set = new UserSet(Buffer.from(text, "base64"));
      if (UserSet.#texts.size > 1000) UserSet.#texts.clear();
      UserSet.#texts.set(text, set);
    }
    return set;
  }
}
