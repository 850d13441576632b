import type { SavedPages } from "./paged-file.ts";
import { PAGE_SIZE } from "./pages.ts";

/*
 * Walks the trees of an SQLite file. The format of pages and cells:
 * https://www.sqlite.org/fileformat2.html#b_tree_pages
 */

const INTERIOR_INDEX = 2;
const INTERIOR_TABLE = 5;
const LEAF_INDEX = 10;
const LEAF_TABLE = 13;
/** The file begins with a header of 100 bytes, which page 0 holds. */
const FILE_HEADER = 100;

/** A table or an index, and its first page. Pages count from 0 here, from 1 in SQLite. */
export interface Root {
  name: string;
  page: number;
}

/** Returns a page, or undefined if it is damaged. Then the pages below it stay unknown. */
type ReadPage = (number: number) => Uint8Array | undefined;

/** The pages of a tree, with the overflow pages of long rows. Yields each number before it reads the page. */
export function* pagesOf(root: number, read: ReadPage): Generator<number> {
  const waiting = [root];
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    yield number;
    const page = read(number);
    if (!page) continue;
    const { children, overflows } = contentsOf(page, number);
    waiting.push(...children);
    for (const first of overflows) {
      for (let next: number | undefined = first; next !== undefined; ) {
        yield next;
        const bytes = read(next);
        const following: number = bytes ? viewOf(bytes).getUint32(0) : 0;
        next = following === 0 ? undefined : following - 1;
      }
    }
  }
}

/** The pages below an inner page of a tree, in order; none for a leaf. */
export const childrenOf = (page: Uint8Array, number: number): number[] => contentsOf(page, number).children;

const viewOf = (page: Uint8Array) => new DataView(page.buffer, page.byteOffset, page.byteLength);

function contentsOf(page: Uint8Array, number: number): { children: number[]; overflows: number[] } {
  const view = viewOf(page);
  const header = number === 0 ? FILE_HEADER : 0;
  const kind = view.getUint8(header);
  const children: number[] = [];
  const overflows: number[] = [];
  const interior = kind === INTERIOR_INDEX || kind === INTERIOR_TABLE;
  if (!interior && kind !== LEAF_INDEX && kind !== LEAF_TABLE) return { children, overflows };
  const count = view.getUint16(header + 3);
  const pointers = header + (interior ? 12 : 8);
  for (let index = 0; index < count; index += 1) {
    let at = view.getUint16(pointers + 2 * index);
    if (interior) {
      children.push(view.getUint32(at) - 1);
      at += 4;
    }
    if (kind === INTERIOR_TABLE) continue;
    const payload = varint(view, at);
    at = payload.end;
    if (kind === LEAF_TABLE) at = varint(view, at).end; // the row id
    const local = localBytes(payload.value, kind === LEAF_TABLE);
    if (local < payload.value) overflows.push(view.getUint32(at + local) - 1);
  }
  if (interior) children.push(view.getUint32(header + 8) - 1);
  return { children, overflows };
}

/** How many bytes of a cell's payload are in the page itself. */
function localBytes(payload: number, table: boolean): number {
  const most = table ? PAGE_SIZE - 35 : Math.floor(((PAGE_SIZE - 12) * 64) / 255) - 23;
  if (payload <= most) return payload;
  const least = Math.floor(((PAGE_SIZE - 12) * 32) / 255) - 23;
  const rest = least + ((payload - least) % (PAGE_SIZE - 4));
  return rest <= most ? rest : least;
}

function varint(view: DataView, at: number): { value: number; end: number } {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = view.getUint8(at + index);
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, end: at + index + 1 };
  }
  return { value: value * 256 + view.getUint8(at + 8), end: at + 9 };
}

/** The names of the tables and indexes of these pages, by page. Free pages have no entry. */
export function ownersOf(pages: ReadonlySet<number>, roots: readonly Root[], read: ReadPage): Map<number, string> {
  const owners = new Map<number, string>();
  for (const { name, page } of roots) {
    for (const number of pagesOf(page, read)) if (pages.has(number)) owners.set(number, name);
  }
  return owners;
}

/** The end of the file, where the newest rows are. */
const NEWEST = 32 << 20;
const SLICE = 64 * PAGE_SIZE;

/**
 * Reads pages that the first requests will need into the system's cache, off the event loop: the inner pages of all
 * trees, and the newest pages. `roots` are the first pages of the trees.
 */
export async function readAhead(
  { file, count }: SavedPages,
  roots: readonly number[],
  ended: AbortSignal,
): Promise<void> {
  for (const root of roots) await readInner(root);
  const slice = Buffer.allocUnsafe(SLICE);
  for (let at = Math.max(0, count * PAGE_SIZE - NEWEST); at < count * PAGE_SIZE && !ended.aborted; at += SLICE)
    await file.readLater(slice, at);

  /** All leaves of a tree have the same depth. Reads the levels above them. */
  async function readInner(root: number): Promise<void> {
    const page = Buffer.allocUnsafe(PAGE_SIZE);
    const read = async (number: number): Promise<number[]> => {
      if (number >= count || ended.aborted) return [];
      await file.readLater(page, number * PAGE_SIZE);
      return childrenOf(page, number);
    };
    let depth = 0;
    for (let children = await read(root); children.length > 0; children = await read(children[0] as number)) depth += 1;
    for (let level = [root]; depth > 0; depth -= 1) {
      const below: number[] = [];
      for (const number of level) below.push(...(await read(number)));
      level = below;
    }
  }
}
