/** Bytes of the original file from `start` up to and without `end`, or other bytes. */
export type Piece = { readonly start: number; readonly end: number } | Uint8Array;

/** The structure of the picture cannot be read, so nobody knows what it holds. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** Honest files have a dozen. */
const MAX_PIECES = 50_000;

/** What a file becomes, from its beginning to its end. */
export class Pieces {
  readonly #all: Piece[] = [];
  #size = 0;

  keep(start: number, end: number): void {
    if (end <= start) return;
    const last = this.#all.at(-1);
    this.#size += end - start;
    if (last && !(last instanceof Uint8Array) && last.end === start) this.#all[this.#all.length - 1] = { ...last, end };
    else this.#push({ start, end });
  }

  put(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#size += bytes.length;
    this.#push(bytes);
  }

  #push(piece: Piece): void {
    if (this.#all.length >= MAX_PIECES) throw new Unreadable("Too many parts.");
    this.#all.push(piece);
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  get all(): readonly Piece[] {
    return this.#all;
  }

  static whole(size: number): Pieces {
    const pieces = new Pieces();
    pieces.keep(0, size);
    return pieces;
  }

  /** Whether the file stays as it is. */
  isWhole(size: number): boolean {
    const [first] = this.#all;
    return this.#all.length === 1 && first !== undefined && !(first instanceof Uint8Array) && first.end === size;
  }
}
