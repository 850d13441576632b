import { childrenOf } from "./page-owners.ts";
import type { SavedPages } from "./paged-file.ts";
import { PAGE_SIZE } from "./pages.ts";

/** The end of the file, where the newest rows are. */
const NEWEST = 32 << 20;
const SLICE = 64 * PAGE_SIZE;

/**
 * Reads what the first requests will need, off the event loop, so that it is in the system's memory by then: the inner
 * pages of all trees, which lead to everything, and the newest pages. `roots` are the first pages of the trees.
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

  /** All leaves of a tree are at one depth: what is above them is read level by level, and they are not. */
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
