/** An exact set of user ids, as a bitmap: one bit per id up to the largest. Immutable. */
export class UserSet {
  readonly #bits: Uint8Array;
  #text: string | undefined;

  private constructor(bits: Uint8Array) {
    this.#bits = bits;
  }

  static readonly #known = new WeakMap<object, { size: number; set: UserSet }>();

  /** Arrays and sets handed in again are recognized, so a channel's subscriber list is turned into bits once; do not change them in place. */
  static of(users: Iterable<number>): UserSet {
    if (users instanceof UserSet) return users;
    const size = Array.isArray(users) ? users.length : users instanceof Set ? users.size : undefined;
    const known = UserSet.#known.get(users);
    if (known && known.size === size) return known.set;
    // An iterator can be walked once only.
    const ids = size === undefined ? [...users] : users;
    let largest = 0;
    for (const id of ids) if (id > largest) largest = id;
    const bits = new Uint8Array((largest >> 3) + 1);
    for (const id of ids) bits[id >> 3] = (bits[id >> 3] as number) | (1 << (id & 7));
    const set = new UserSet(bits);
    if (size !== undefined) UserSet.#known.set(users, { size, set });
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

  static #texts = new Map<string, UserSet>();

  static fromJSON(text: string): UserSet {
    let made = UserSet.#texts.get(text);
    if (!made) {
      made = new UserSet(Buffer.from(text, "base64"));
      if (UserSet.#texts.size > 1000) UserSet.#texts.clear();
      UserSet.#texts.set(text, made);
    }
    return made;
  }
}
