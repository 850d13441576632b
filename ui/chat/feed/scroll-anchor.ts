import type { RefObject } from "react";

/** A message in the feed; distances are from the top edge of the scrolled box. */
export interface Row {
  readonly id: number;
  readonly top: number;
  readonly bottom: number;
}

export interface ScrollBox {
  scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  /** From top to bottom. */
  rows(): Iterable<Row>;
  row(id: number): Row | undefined;
}

/** A reader this close to the end follows new messages. */
export const AT_END_PX = 40;

/**
 * Keeps the message that is read at its place on the screen while content around it changes.
 *
 * Safari has no scroll anchoring, and other browsers lose the position when history loads at the top.
 */
export class ScrollAnchor {
  readonly #box: ScrollBox;
  /** The first message on the screen and its distance from the top when the box was scrolled to `at`. */
  #held: { id: number; top: number; at: number } | undefined;
  #followsEnd = false;
  /** As of the last `resized`, which browsers call after the scroll events of the same frame. */
  #heights = { box: 0, content: 0 };

  constructor(box: ScrollBox) {
    this.#box = box;
  }

  get followsEnd(): boolean {
    return this.#followsEnd;
  }

  get distanceToEnd(): number {
    return this.#box.scrollHeight - this.#box.scrollTop - this.#box.clientHeight;
  }

  /** Scrolls to a message, or to the end if it is not in the box. */
  openAt(id: number | undefined): void {
    this.#followsEnd = false;
    this.#held = undefined;
    const row = id === undefined ? undefined : this.#box.row(id);
    if (row) this.#box.scrollTop += row.top - this.#box.clientHeight / 4;
    else this.scrollToEnd();
  }

  /** Scrolls to an earlier position; false if its message is not in the box. */
  restore({ id, top }: { id: number; top: number }, followsEnd: boolean): boolean {
    if (!this.#box.row(id)) return false;
    this.#followsEnd = followsEnd;
    this.#held = { id, top, at: this.#box.scrollTop };
    this.stay();
    return true;
  }

  /** Stays at the end from the next change on. */
  followEnd(): void {
    this.#followsEnd = true;
  }

  scrollToEnd(): void {
    this.#box.scrollTop = this.#box.scrollHeight;
  }

  /** Corrects the position after the content has changed. */
  stay(): void {
    if (this.#followsEnd) this.scrollToEnd();
    else this.#hold();
  }

  /** Corrects the position after the box or its content has another height. */
  resized(): void {
    this.stay();
    this.#heights = { box: this.#box.clientHeight, content: this.#box.scrollHeight };
  }

  /**
   * Handles a scroll event. Returns the first message on the screen, or undefined while the feed ends too early to
   * correct the position: more messages at that end make room for the correction.
   */
  scrolled({ foundOldest, foundNewest }: { foundOldest: boolean; foundNewest: boolean }): Row | undefined {
    const { clientHeight, scrollHeight } = this.#box;
    const isAtEnd = this.distanceToEnd <= AT_END_PX && foundNewest;
    // A taller composer or a loaded picture also moves the end away, but the reader still follows it.
    if (isAtEnd || (this.#heights.box === clientHeight && this.#heights.content === scrollHeight))
      this.#followsEnd = isAtEnd;
    // Scroll events come before the resize observer, so content that grew above is not corrected yet.
    const missing = this.#followsEnd ? 0 : this.#hold();
    if (missing !== 0 && !(missing > 0 ? foundNewest : foundOldest)) return undefined;
    for (const row of this.#box.rows()) {
      if (row.bottom <= 0) continue;
      this.#held = { id: row.id, top: row.top, at: this.#box.scrollTop };
      return row;
    }
    return undefined;
  }

  /**
   * Moves the held message back to its place, except for what the reader scrolled since. Returns the pixels that are
   * missing because the feed ends: positive if the message is still too low.
   */
  #hold(): number {
    const held = this.#held;
    const row = held && this.#box.row(held.id);
    if (!row) return 0;
    const moved = row.top - (held.top - (this.#box.scrollTop - held.at));
    if (Math.abs(moved) < 1) return 0;
    const before = this.#box.scrollTop;
    this.#box.scrollTop += moved;
    const corrected = this.#box.scrollTop - before;
    held.at += corrected;
    return Math.abs(moved - corrected) < 1 ? 0 : moved - corrected;
  }
}

/** The scrolled element with its message rows. Use it only while the element is mounted. */
export function scrollBoxIn(ref: RefObject<HTMLElement | null>): ScrollBox {
  const element = () => ref.current as HTMLElement;
  const rowOf = (row: HTMLElement, edge: number): Row => {
    const { top, bottom } = row.getBoundingClientRect();
    return { id: Number(row.dataset["messageId"]), top: top - edge, bottom: bottom - edge };
  };
  return {
    get scrollTop() {
      return element().scrollTop;
    },
    set scrollTop(value) {
      element().scrollTop = value;
    },
    get scrollHeight() {
      return element().scrollHeight;
    },
    get clientHeight() {
      return element().clientHeight;
    },
    *rows() {
      const { top } = element().getBoundingClientRect();
      for (const row of element().querySelectorAll<HTMLElement>("[data-message-id]")) yield rowOf(row, top);
    },
    row(id) {
      const row = element().querySelector<HTMLElement>(`[data-message-id="${id}"]`);
      return row ? rowOf(row, element().getBoundingClientRect().top) : undefined;
    },
  };
}
