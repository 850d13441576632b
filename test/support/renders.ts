import type { Page } from "playwright-core";

/**
 * Runs in a page before its own scripts (`visit`'s `before`) and counts rendered components. React reports each commit
 * to a developer tool. A component counts as rendered if it is new or if React marked it since the last commit.
 */
export const COUNT_RENDERS = `
  const [PERFORMED_WORK, COMPONENTS] = [1, new Set([0, 11, 14, 15])];
  globalThis.rendered = {};
  const visit = (fiber) => {
    const before = fiber.alternate;
    if (COMPONENTS.has(fiber.tag) && (before === null || fiber.flags & PERFORMED_WORK)) {
      const type = fiber.type?.type ?? fiber.type?.render ?? fiber.type;
      const name = type?.displayName || type?.name || "component";
      globalThis.rendered[name] = (globalThis.rendered[name] ?? 0) + 1;
    }
    if (before !== null && before.child === fiber.child) return;
    for (let child = fiber.child; child; child = child.sibling) visit(child);
  };
  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    renderers: new Map(),
    inject: () => 1,
    checkDCE: () => {},
    onCommitFiberRoot: (_, root) => visit(root.current),
    onCommitFiberUnmount: () => {},
    onPostCommitFiberRoot: () => {},
  };
`;

export interface Renders {
  count: number;
  /** The components, most often rendered first. Names may be minified. */
  names: string;
}

/** How many components render until `act` has ended and the page has painted the result. */
export async function rendersOf(page: Page, act: () => Promise<unknown>): Promise<Renders> {
  await page.evaluate("globalThis.rendered = {}");
  await act();
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
  const rendered = (await page.evaluate("globalThis.rendered")) as Record<string, number>;
  const names = Object.entries(rendered)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count} ${name}`);
  return { count: Object.values(rendered).reduce((sum, one) => sum + one, 0), names: names.slice(0, 12).join(", ") };
}
