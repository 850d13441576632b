import assert from "node:assert/strict";
import test from "node:test";
import { ScrollAnchor, type ScrollBox } from "../../ui/chat/feed/scroll-anchor.ts";

const HEIGHT = 100;
const BOX_HEIGHT = 500;
const ALL = { foundOldest: true, foundNewest: true };

/** Rows of equal height; like in a browser, `scrollTop` stays between the ends. */
class FakeBox implements ScrollBox {
  ids: number[];
  /** Height above the first row, such as a picture that has loaded. */
  above = 0;
  clientHeight = BOX_HEIGHT;
  #scrollTop = 0;

  constructor(ids: number[]) {
    this.ids = ids;
  }

  get scrollHeight(): number {
    return Math.max(this.clientHeight, this.above + this.ids.length * HEIGHT);
  }

  get scrollTop(): number {
    return this.#scrollTop;
  }

  set scrollTop(value: number) {
    this.#scrollTop = Math.max(0, Math.min(value, this.scrollHeight - this.clientHeight));
  }

  rows() {
    return this.ids.map((id, index) => {
      const top = this.above + index * HEIGHT - this.scrollTop;
      return { id, top, bottom: top + HEIGHT };
    });
  }

  row(id: number) {
    return this.rows().find((row) => row.id === id);
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

function scrolledTo(ids: number[], scrollTop: number, ends = ALL) {
  const box = new FakeBox(ids);
  const anchor = new ScrollAnchor(box);
  anchor.resized();
  box.scrollTop = scrollTop;
  const first = anchor.scrolled(ends);
  return { box, anchor, first };
}

const topOf = (box: FakeBox, id: number) => box.row(id)?.top;

test("opens at a message below the top edge", () => {
  const box = new FakeBox(range(0, 30));
  new ScrollAnchor(box).openAt(10);
  assert.equal(topOf(box, 10), BOX_HEIGHT / 4);
});

test("opens at the end without a message", () => {
  const box = new FakeBox(range(0, 30));
  new ScrollAnchor(box).openAt(99);
  assert.equal(topOf(box, 29), BOX_HEIGHT - HEIGHT);
});

test("reports the first message on the screen", () => {
  const { first } = scrolledTo(range(0, 30), 1050);
  assert.deepEqual(first, { id: 10, top: -50, bottom: 50 });
});

test("keeps the position when history loads above", () => {
  const { box, anchor } = scrolledTo(range(100, 130), 1050);
  box.ids = range(80, 130);
  anchor.stay();
  assert.equal(topOf(box, 110), -50);
});

test("keeps the position when messages above are removed", () => {
  const { box, anchor } = scrolledTo(range(0, 30), 1050);
  box.ids = range(5, 30);
  anchor.stay();
  assert.equal(topOf(box, 10), -50);
});

test("keeps the scrolled distance when content grew in the same frame", () => {
  const { box, anchor } = scrolledTo(range(0, 30), 1050);
  box.above = 200;
  box.scrollTop += 30;
  anchor.scrolled(ALL);
  assert.equal(topOf(box, 10), -80);
});

test("follows new messages at the end", () => {
  const { box, anchor } = scrolledTo(range(0, 30), 9999);
  assert.equal(anchor.followsEnd, true);
  box.ids = range(0, 31);
  anchor.stay();
  assert.equal(anchor.distanceToEnd, 0);
});

test("does not follow the end of a part of the feed", () => {
  const { box, anchor } = scrolledTo(range(0, 30), 9999, { foundOldest: true, foundNewest: false });
  assert.equal(anchor.followsEnd, false);
  box.ids = range(0, 40);
  anchor.stay();
  assert.equal(topOf(box, 29), BOX_HEIGHT - HEIGHT);
});

test("follows the end while the composer grows", () => {
  const { box, anchor } = scrolledTo(range(0, 30), 9999);
  box.clientHeight -= 200;
  anchor.scrolled(ALL);
  assert.equal(anchor.followsEnd, true);
  anchor.resized();
  assert.equal(anchor.distanceToEnd, 0);
});

test("stops following when the reader scrolls up", () => {
  const { box, anchor } = scrolledTo(range(0, 30), 9999);
  box.scrollTop -= 300;
  anchor.scrolled(ALL);
  assert.equal(anchor.followsEnd, false);
});

test("restores an earlier position", () => {
  const box = new FakeBox(range(0, 30));
  const anchor = new ScrollAnchor(box);
  assert.equal(anchor.restore({ id: 12, top: -20 }, false), true);
  assert.equal(topOf(box, 12), -20);
  assert.equal(anchor.restore({ id: 99, top: 0 }, false), false);
});

test("completes the scroll correction when more messages load", () => {
  const box = new FakeBox(range(0, 6));
  const anchor = new ScrollAnchor(box);
  anchor.restore({ id: 4, top: 0 }, false);
  const first = anchor.scrolled({ foundOldest: true, foundNewest: false });
  assert.equal(first, undefined);
  assert.equal(topOf(box, 4), 300);
  box.ids = range(0, 30);
  anchor.stay();
  assert.equal(topOf(box, 4), 0);
});
